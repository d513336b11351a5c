import fp from 'fastify-plugin'

/**
 * Writes the responses of a turn of the event loop together at its end. Separate writes would wake up a sleeping client
 * or proxy each time. Under load, the kernel needs longer for a wake-up than the service needs for a response. A single
 * request does not wait for others.
 *
 * Only for the service's signing route: `reply.sent` stays false until the end of the turn, so a host's hook that
 * responds and goes on would not end the request.
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
      } catch (err) { // an uncaught error would end the process; onResponse does not run
        reply.log.error({ err }, 'the response cannot be sent')
        reply.raw.destroy()
      }
    })
  })
}, { name: 'write-batching' })
