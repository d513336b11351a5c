import { createHash, hash } from 'node:crypto'
import { sign } from './targets/variant-a.js'
import { cases, token } from './signer-cases.js'

// Times one implementation on one case, in a process that has seen no other: what V8 makes of it depends on both.
const [caseNumber, implementation, seconds] = process.argv.slice(2)
const { variant, request: parsed, signature } = cases[Number(caseNumber)]

const hash256 = text => createHash('sha256').update(text).digest('hex')

/** The straightforward one for variant B (specification 4.4), with what the cases need. */
function signB (request) {
  const { clientTimeStamp, sid, amount, orderId, merchantAccountNumber } = request
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(sid)) throw new Error('sid')
  return `${hash256(`${clientTimeStamp}${sid}${amount}${orderId}`)}///` +
    hash256(`${clientTimeStamp}${request.merchantToken || token}${merchantAccountNumber}${amount}${orderId}`)
}

async function ours () {
  const module = await import(new URL(`../dist/src/variant-${variant.toLowerCase()}.js`, import.meta.url).href)
  return new module[`Variant${variant}`](token)
}

const implementations = {
  async ours () {
    const signer = await ours()
    return request => signer.sign(request)
  },
  async createHash () {
    return variant === 'A' ? request => sign(request, token, hash256) : signB
  },
  async floor () {
    const { preImagesOf } = await import('../dist/src/scheme/terms.js')
    const { termsOf } = await import('../dist/src/scheme/variant.js')
    const terms = termsOf(/** @type {'A' | 'B'} */ (variant), parsed, token)
    const { part1, part2 } = JSON.parse(JSON.stringify(preImagesOf(terms))) // flat strings
    return () => {
      hash('sha256', part1, 'hex')
      return hash('sha256', part2, 'hex')
    }
  }
}

const run = await implementations[implementation]()
const request = JSON.parse(JSON.stringify(parsed)) // strings as they come from a body
const answer = run(request)
if (!signature.endsWith(answer) || (implementation !== 'floor' && answer !== signature)) throw new Error(`${implementation} signed case ${caseNumber} as ${answer}`)

let characters = 0 // given out at the end, so that nothing of the work can be left out

/** Nanoseconds for a signature. Every request has its own time, or its text would come from V8's cache. */
function batch (size) {
  const start = process.hrtime.bigint()
  for (let number = 0; number < size; number++) {
    request.clientTimeStamp++
    characters += run(request).length
  }
  return Number(process.hrtime.bigint() - start) / size
}

function batches (duration) {
  const times = []
  const end = performance.now() + duration
  do times.push(batch(2000)); while (performance.now() < end)
  return times
}

batches(Number(seconds) * 200) // warm-up
const times = batches(Number(seconds) * 1000).sort((a, b) => a - b)
process.stdout.write(JSON.stringify({ nanoseconds: times[times.length >> 1], characters }))
