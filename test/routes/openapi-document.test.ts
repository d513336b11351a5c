import t from 'tap'
import { completed } from '../../routes/openapi-document.js'

t.test('it says nothing of routes that were left out', async t => {
  const content = { 'application/json': { schema: { type: 'object' } } }
  const document = { paths: { '/ready': { get: { responses: { 200: { content }, 503: { content } } } } }, components: { schemas: {} } }
  t.strictSame(Object.keys(completed(document).paths), ['/ready'])
  t.match(document.paths['/ready'].get, { operationId: 'ready', summary: 'Readiness' })
  t.strictSame(document.components.schemas, { ReadyResponse: { type: 'object' }, ErrorResponse: { type: 'object' } })
})
