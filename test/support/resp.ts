import type { Test } from 'tap'
import { tcpServer } from './backend.js'

/**
 * Starts a server with Redis' protocol, for replies that a real Redis sends only in rare states. `answer` gets a
 * command's name and arguments, and returns the encoded reply, or a promise of it. Returns the URL of the server.
 */
export async function respServer (
  t: Pick<Test, 'teardown'>, answer: (command: string, ...args: string[]) => string | Promise<string>, password = ''
): Promise<string> {
  const port = await tcpServer(t, socket => {
    let received = ''
    let last = Promise.resolve()
    socket.setEncoding('utf8').on('data', chunk => {
      received += chunk
      for (;;) {
        const command = /^\*(\d+)\r\n/.exec(received)
        const lines = received.split('\r\n') // each argument has two lines: its length and its text
        const taken = 1 + 2 * Number(command?.[1])
        if (command === null || lines.length <= taken) return
        received = lines.slice(taken).join('\r\n')
        const [name = '', ...args] = lines.slice(0, taken).filter((_line, index) => index > 0 && index % 2 === 0)
        const reply = answer(name.toUpperCase(), ...args)
        last = last.then(async () => { socket.write(`${await reply}\r\n`) })
      }
    })
  })
  return `redis://:${password}@127.0.0.1:${port}`
}
