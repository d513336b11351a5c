import { createServer } from 'node:http'
import { signPurchase } from './purchase.js'

createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', chunk => { text += chunk })
  request.on('end', () => {
    const answer = JSON.stringify({ signature: signPurchase(JSON.parse(text)) })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    response.end(answer)
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
