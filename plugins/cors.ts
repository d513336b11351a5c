import fastifyCors from '@fastify/cors'
import fp from 'fastify-plugin'
import { allowedOrigins } from '../src/settings/environment.js'

/** Lets pages of the origins in CORS_ORIGIN call the service and read every response, errors included. */
export default fp(async function cors (app) {
  const { CORS_ORIGIN, CORS_CREDENTIALS } = app.config
  await app.register(fastifyCors, {
    origin: allowedOrigins(CORS_ORIGIN),
    credentials: CORS_CREDENTIALS,
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: 'Retry-After, X-Request-Id, Error-Code', // on every response
    maxAge: 600, // seconds; most payments then need no preflight
    strictPreflight: false // other OPTIONS requests get 204 too, instead of a text/plain error
  })
}, { name: 'cors', dependencies: ['env'], fastify: '5.x' })
