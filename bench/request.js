import { request } from 'node:http'

/** Not the development token, which production refuses; as long as the one that the README tells to make. */
export const token = 'benchmark-only-token-with-as-many-characters-as-32-bytes-in-hexa'

const fields = {
  operationType: 'purchase',
  amount: '100.00',
  merchantAccountNumber: '102551',
  orderId: 'ORDER-12345',
  sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  clientTimeStamp: 1709912345678
}

/** What every right answer to {@link body} has. */
export const signature = '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c///' +
  '8f02e72c76b9776c9999cd0a4c41d836d5dae20d93656c4d118b426f05e81e52'

export const path = '/api/generate-signature'

/** The key of the caller in {@link policy}; sent to every target, so that all of them parse the same headers. */
export const headers = { 'content-type': 'application/json', authorization: 'Bearer benchmark-only-key' }

export const policy = {
  callers: [{
    name: 'shop',
    apiKeySha256: 'd1397a301d7822a79af2952253109bd1e751db98e05f00ab6f8d4eb2ab9b09b8',
    operations: ['purchase'],
    accountNumbers: ['102551'],
    maximumAmount: '500.00'
  }]
}

/** A purchase that every guard lets pass, of 180 bytes, or with an unknown field that makes it `size` bytes long. */
export function body (size = 0) {
  const text = JSON.stringify(fields)
  const missing = size - text.length - ',"note":""'.length
  return missing > 0 ? JSON.stringify({ ...fields, note: 'x'.repeat(missing) }) : text
}

/** Sends one request on a connection of its own, and resolves with its status and text. */
export function ask (port) {
  return new Promise((resolve, reject) => {
    const client = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, response => {
      let text = ''
      response.setEncoding('utf8')
        .on('data', chunk => { text += chunk })
        .on('end', () => resolve({ status: response.statusCode, text }))
    })
    client.on('error', reject).end(body())
  })
}
