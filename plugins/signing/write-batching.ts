import fp from 'fastify-plugin'

/**
 * Writes the responses to the requests of a turn of the event loop at its end. Each separate write would wake a client
 * or proxy that has just gone to sleep; under load the kernel needs longer for that than the service for the response.
 * A request that comes alone does not wait for others.
 *
 * For the service's signing route only: `reply.sent` stays false until the end of the turn. A hook of a host that
 * responds and goes on all the same would not end the request.
 */
export default fp<{ isOn: boolean }>(async function writeBatching (app, { isOn }) {
  if (!isOn) return
  let writes: Array<() => void> = []

  function writeAll (): void {
    const batch = writes
    writes = []
    for (const write of batch) write()
  }

  app.addHook('onSend', (_request, reply, payload, done) => {
    if (writes.length === 0) setImmediate(writeAll)
    writes.push(() => {
      try {
        done(null, payload)
      } catch (err) { // nothing else catches it, and it would end the process; onResponse does not run
        reply.log.error({ err }, 'the response cannot be sent')
        reply.raw.destroy()
      }
    })
  })
}, { name: 'write-batching' })
