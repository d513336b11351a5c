// nest.mjs
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import paymentSignature from 'payment-signature-backend/fastify'
import { AppModule } from './app.module.mjs'

const app = await NestFactory.create(AppModule, new FastifyAdapter())
await app.register(paymentSignature, {
  variant: 'A',
  merchantToken: process.env.MERCHANT_TOKEN ?? '',
  strict: true
})
await app.listen(Number(process.env.PORT))
