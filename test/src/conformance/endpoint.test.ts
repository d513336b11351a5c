import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { callEndpoint } from '../../../src/conformance/endpoint.js'
import { loadVectors } from '../../../src/conformance/vectors.js'

t.test('a service that does not answer is not waited for', async t => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await t.rejects(callEndpoint(url, loadVectors('B'), 50), {
    name: 'ConformanceError', code: 'ERR_CONFORMANCE', message: `${url} cannot be reached: no response in time`
  })
})

t.test('no vectors need no service', async t => {
  t.same(await callEndpoint('http://127.0.0.1:1/', [], 50), [])
})
