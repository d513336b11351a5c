import autocannon from 'autocannon'
import { body, headers, path, signature } from './request.js'

// A process of its own, so that it can have a processor of its own.
const { port, connections, seconds, size } = JSON.parse(process.argv[2])
const { requests, duration, latency, errors, non2xx, mismatches } = await autocannon({
  url: `http://127.0.0.1:${port}${path}`,
  method: 'POST',
  connections,
  duration: seconds,
  sampleInt: 100, // milliseconds; it ends at a sample only, which would be a whole second
  headers,
  body: body(size),
  expectBody: JSON.stringify({ signature })
})
process.stdout.write(JSON.stringify({
  requests: requests.total,
  seconds: duration,
  p50: latency.p50,
  p99: latency.p99,
  errors: errors + non2xx + mismatches // a time-out is one of the errors
}))
