import { connect, type Socket } from 'node:net'

/** A client that sends any bytes, one request after the other on one connection, as long as the server keeps it. */
export class RawClient {
  #socket: Socket | undefined
  #chunks: AsyncIterator<string> | undefined

  constructor (private readonly port: number) {}

  /**
   * Sends a request, a byte for each character. A server may have ended the connection after the response before.
   *
   * @returns the status; 0 if the server ends a new connection without a response, or cannot be reached
   */
  async send (method: string, path: string): Promise<number> {
    const isNew = this.#socket === undefined
    const status = await this.#exchange(method, path)
    return status === 0 && !isNew ? this.#exchange(method, path) : status
  }

  async #exchange (method: string, path: string): Promise<number> {
    if (this.#socket === undefined) {
      this.#socket = connect(this.port, '127.0.0.1').setEncoding('latin1').on('error', () => {})
      this.#chunks = this.#socket[Symbol.asyncIterator]()
    }
    this.#socket.write(`${method} ${path} HTTP/1.1\r\nHost: pay.example\r\nContent-Length: 0\r\n\r\n`, 'latin1')
    let received = ''
    while (!this.#isWhole(method, received)) {
      const { value, done } = await this.#chunks!.next().catch(() => ({ done: true, value: '' }))
      if (done === true) return this.#end(received)
      received += value
    }
    return /\r\nconnection: close\r\n/i.test(received) ? this.#end(received) : Number(received.slice(9, 12))
  }

  close (): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #end (received: string): number {
    this.close()
    return Number(received.slice(9, 12))
  }

  #isWhole (method: string, received: string): boolean {
    const [head, body] = received.split(/\r\n\r\n(.*)/s)
    if (body === undefined) return false
    const length = method === 'HEAD' ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head!)?.[1] ?? 0)
    return body.length >= length
  }
}
