import { operations } from './reference.js'

interface Content { 'application/json': { schema: object, examples?: object } }

interface Response { content: Content }

interface GeneratedOperation {
  requestBody?: { content: Content }
  responses: Record<string, Response>
}

/** What is read here of the OpenAPI document that was generated from the routes. */
export interface GeneratedDocument {
  paths: Record<string, Record<string, GeneratedOperation>>
  components: { schemas: Record<string, object> }
}

function mapValues<From, To> (record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

/**
 * Completes the OpenAPI document with what the schemas of routes do not say: titles, examples, and each status of its
 * own. The schemas become components, under their names. Routes that the reference does not have stay as they are.
 */
export function completed (document: GeneratedDocument): GeneratedDocument {
  const { schemas } = document.components

  function content (name: string, generated: Content, examples: Record<string, object>): Content {
    schemas[name] = generated['application/json'].schema
    return {
      'application/json': {
        schema: { $ref: `#/components/schemas/${name}` },
        examples: mapValues(examples, value => ({ value }))
      }
    }
  }

  for (const [path, methods] of Object.entries(operations)) {
    for (const [method, { request, answers, ...about }] of Object.entries(methods)) {
      const generated = document.paths[path]?.[method]
      if (generated === undefined) continue // the plugin with the route may have been left out
      const { requestBody, responses } = generated

      Object.assign(generated, about)
      if (request !== undefined && requestBody !== undefined) {
        requestBody.content = content(request.schema, requestBody.content, request.examples)
      }
      generated.responses = Object.fromEntries(Object.entries(answers).map(([status, answer]) => {
        const { description, schema, headers, examples } = answer
        const { content: schemaOnly } = responses[status] ?? responses[`${status.charAt(0)}XX`] as Response
        return [status, {
          description,
          ...(headers && { headers: mapValues(headers, description => ({ description, schema: { type: 'string' } })) }),
          content: content(schema, schemaOnly, examples)
        }]
      }))
    }
  }
  return document
}
