// nest.mjs
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { createHandler } from 'payment-signature-backend/app'
import { AppModule } from './app.module.mjs'
import { authorize } from './authorize.mjs'
import { signingRoute } from './fastify-route.mjs'

const handler = createHandler({
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
  clientAddress: (_request, { ip }) => ip,
  authorize
})
const app = await NestFactory.create(AppModule, new FastifyAdapter())
await app.register(signingRoute, { handler })
await handler.ready()
await app.listen(Number(process.env.PORT))
