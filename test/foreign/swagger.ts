import { deepStrictEqual } from 'node:assert/strict'
import type { ForeignPart } from './project.js'

const program = `
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import paymentSignature from 'payment-signature-backend/fastify'
import { z } from 'zod'

async function documentOf (options, prepare = () => {}) {
  const app = Fastify()
  prepare(app)
  await app.register(swagger, options)
  const signing = { variant: 'A', merchantToken: 'token' }
  app.register(paymentSignature, { prefix: '/one', ...signing })
  app.register(paymentSignature, { prefix: '/two', ...signing, schema: { body: z.object({ amount: z.string() }), response: {} } })
  app.register(paymentSignature, { prefix: '/hidden', ...signing, schema: { hide: true } })
  await app.ready()
  const { swagger: two, openapi = two, paths } = app.swagger()
  const response = await app.inject({ method: 'POST', url: '/two/api/generate-signature', payload: { amount: 7, accountNumber: '1', sid: 's', clientTimeStamp: 1 } })
  return [openapi, Object.keys(paths), response.statusCode]
}
const zod = { openapi: { openapi: '3.1.0' }, transform: jsonSchemaTransform, transformObject: jsonSchemaTransformObject }
console.log(JSON.stringify([
  await documentOf({ openapi: {} }),
  await documentOf({}),
  await documentOf(zod, app => {
    app.setValidatorCompiler(validatorCompiler)
    app.setSerializerCompiler(serializerCompiler)
  })
]))`

/** The plugin in an app that documents its routes, with and without Zod. */
export const swagger: ForeignPart = {
  packages: ['fastify', '@fastify/swagger', 'fastify-type-provider-zod', 'zod'],
  async run (project) {
    project.write('program.mjs', program)
    const paths = ['/one/api/generate-signature', '/two/api/generate-signature']
    deepStrictEqual(JSON.parse(await project.run('node', 'program.mjs')), [
      ['3.0.3', paths, 200], ['2.0', paths, 200], ['3.1.0', paths, 200]
    ])
  }
}
