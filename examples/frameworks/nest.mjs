// nest.mjs
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { createHandler } from 'payment-signature-backend/fetch'
import { AppModule } from './app.module.mjs'
import { authorize, context } from './authorize.mjs'
import { signingRoute } from './fastify-route.mjs'

const handler = createHandler({
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
  clientAddress: (_request, { ip }) => ip,
  context,
  authorize
})
const app = await NestFactory.create(AppModule, new FastifyAdapter())
await app.register(signingRoute, { handler })
await handler.ready()
await app.listen(Number(process.env.PORT))
