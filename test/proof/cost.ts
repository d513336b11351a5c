import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { listening, sayingWhere, server } from '../support/server.js'
import type { Scope } from '../support/server.js'
import { inScope, randomOf, table } from './part.js'
import type { Part } from './part.js'
import { send } from '../support/send.js'

/** Bytes of each body: below the default of BODY_LIMIT. */
const size = 100_000

/** Largest accepted ratios of a body's cost to the cost of a plain body. */
const bounds = { time: 6, memory: 2 }

const clockTicksPerSecond = 100

/** Options of Node.js. With a large heap, the garbage of a body would be collected during the measurement of others. */
const smallHeap = ['--max-old-space-size=64', '--max-semi-space-size=1']

/** The option with which the memory is that of the request, and not of garbage: two-byte text leaves 10 MiB of it. */
const collectsAll = '--gc-global'

/** A body that consists of members, and of a string in a field that fills it. */
interface Body {
  name: string
  /** JSON text of members, each with a comma before it. */
  members: string
  field: string
  /** Text that the string repeats. */
  filler: string
  /** True for a service with STRICT, which refuses after other steps. */
  isStrict: boolean
}

const plain = (isStrict: boolean): Body => ({ name: 'a plain body', members: '', field: 'x', filler: 'a', isStrict })

function textOf ({ members, field, filler }: Body): string {
  const begin = `{"merchantAccountNumber":"102551","sid":"s","clientTimeStamp":1${members},"${field}":"`
  const left = size - Buffer.byteLength(begin) - 2
  return `${begin}${filler.repeat(Math.max(0, Math.floor(left / Buffer.byteLength(filler))))}"}`
}

/** Texts inside a string, which are repeated. */
const texts = ['a', 'é', '\\u00e9', '\\"', '\\\\', '\\n', '\\ud800', '😀', '0', '.', ' ', '\u2028', '\\u0000', 'null', 'ａ', '\ufeff',
  'İ', 'Σ', 'ſ', 'ΐ']
const fields = ['amount', 'orderId', 'sid', 'operationType', 'idType', 'transactionId', 'transactionFCRN', 'accountNumber',
  'merchantAccountNumber', 'merchantToken', 'clientTimeStamp', 'x']
/** Members that are repeated. */
const structures = ['"x":1', '"amount":"1"', '"x":{}', '"x":[]', '"x":[[[[]]]]', '"amount":[[[[1]]]]', '"orderId":[1,2,3]', '"x":1e308',
  '"x":0.1234567890123456789', '"1":1', '"constructor":1', '"x":-0', '"x":"\\u0061"', '"sid":{"a":1}',
  '"operationType":"inquiry"']

/** Long, deep and wide keys, and many duplicates, each as far as size and number of values allow. */
const families: Body[] = ['k', '\\u006b', '\\"'].flatMap(text => ([
  // Nested objects, bytes of the key of each, members of the innermost, bytes of the key of each, and its equality.
  [1, 92_000, 900, 1, 'equal'],
  [450, 190, 500, 1, 'equal'],
  [900, 90, 1, 1, 'equal'],
  [0, 0, 980, 90, 'equal'],
  [0, 0, 980, 90, 'different'],
  [30, 1500, 900, 50, 'different']
] as const).map(([depth, length, count, memberLength, equality]) => {
  const key = (bytes: number): string => text.repeat(Math.floor(bytes / text.length))
  const all = Array.from({ length: count }, (_, at) => `"${key(memberLength)}${equality === 'equal' ? '' : at}":1`)
  return {
    ...plain(true),
    name: `${depth} × {"${text} …" of ${length} bytes: ${count} × "${text} …" of ${memberLength} bytes, ${equality}`,
    // STRICT ignores the two equal keys, and starts its search for duplicates.
    members: `,"y":0,"y":0,${`"${key(length)}":{`.repeat(depth)}${all.join()}${'}'.repeat(depth)}`
  }
}))

/** Returns a random body: a repeated structure, arrays in a field, then a string of one or two texts in a field. */
function randomBody (random: () => number): Body {
  const one = <Item>(items: Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const below = (end: number) => Math.floor(random() ** 2 * end)
  const [structure, count, nested, depth] = [one(structures), below(990), one(fields), random() < 0.3 ? below(400) : 0]
  const arrays = depth === 0 ? '' : `,"${nested}":${'['.repeat(depth)}${']'.repeat(depth)}`
  const [field, filler, isStrict] = [one(fields), one(texts) + one([...texts, '', '']), random() < 0.5]
  return {
    name: `${count} × ${structure}, ${depth} × [ in ${nested}, "${field}":"${filler} …" ${isStrict ? 'with' : 'without'} STRICT`,
    members: `,${structure}`.repeat(count) + arrays,
    field,
    filler,
    isStrict
  }
}

/** Starts a service with options of Node.js, and returns a function that measures it. */
async function startMeasured (t: Scope, isStrict: boolean, nodeOptions: string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const variables = { LOG_LEVEL: 'silent', STRICT: String(isStrict) }
  const service = server(t, variables, { nodeOptions: [sayingWhere, ...smallHeap, ...nodeOptions] })
  const port = Number((await service.says(listening))[1])
  const read = (name: string): string => readFileSync(`/proc/${service.process.pid}/${name}`, 'utf8')
  /** Processor time so far, in milliseconds. */
  const processorTime = (): number => {
    const columns = (read('stat').split(') ')[1] ?? '').split(' ')
    return (Number(columns[11]) + Number(columns[12])) * 1000 / clockTicksPerSecond
  }
  /** Largest memory since the last reset, in MiB. */
  const peak = (): number => Number(/VmHWM:\s+(\d+)/.exec(read('status'))?.[1]) / 1024

  /** Returns the processor time of one request in milliseconds, and the growth of the memory in MiB. */
  return async function measure (body: Body, seconds: number) {
    const text = textOf(body)
    writeFileSync(`/proc/${service.process.pid}/clear_refs`, '5')
    const [memory, from, end] = [peak(), processorTime(), performance.now() + seconds * 1000]
    let requests = 0
    for (; performance.now() < end; requests++) await send(port, { agent, body: text })
    return { milliseconds: (processorTime() - from) / requests, memory: peak() - memory }
  }
}

export const cost: Part = {
  name: 'cost',
  shows: `No body costs more than ${bounds.time} times the processor time, or ${bounds.memory} times the memory, of a ` +
    'plain body of the same size: the most expensive one of a search, and long, deep, wide and duplicate keys.',
  run: inScope('cost', async (t, { seed, short, minutes = 60, note, signal }) => {
    const random = randomOf(seed)
    const start = async (...nodeOptions: string[]) => {
      const services = [await startMeasured(t, false, nodeOptions), await startMeasured(t, true, nodeOptions)]
      return (body: Body, seconds: number) => services[Number(body.isStrict)]!(body, short ? seconds / 20 : seconds)
    }
    const [measure, measureMemory] = [await start(), await start(collectsAll)]
    async function references (measureThem = measure) {
      for (const isStrict of [false, true]) await measureThem(plain(isStrict), 5)
      return [await measureThem(plain(false), 10), await measureThem(plain(true), 10)]
    }
    let reference = await references()
    let ranked: Array<{ body: Body, ratio: number }> = []
    const end = performance.now() + (short ? 5000 : minutes * 60_000)
    let tried = 0
    for (; performance.now() < end && !signal.aborted; tried++) {
      const body = randomBody(random)
      const { milliseconds } = await measure(body, 0.5)
      const ratio = milliseconds / reference[Number(body.isStrict)]!.milliseconds
      ranked = [...ranked, { body, ratio }].sort((one, other) => other.ratio - one.ratio).slice(0, 10)
    }
    note(`${tried} bodies, the most expensive: ${ranked[0]?.ratio.toFixed(1)} times a plain body`)
    // A single measurement exaggerates: the highest ones are repeated for longer. The rank knows nothing of the memory.
    reference = await references()
    const memories = await references(measureMemory)
    const rows = []
    for (const body of [...ranked.map(({ body }) => body), ...families]) {
      const { milliseconds } = await measure(body, 10)
      const { memory } = await measureMemory(body, 5)
      const at = Number(body.isStrict)
      const ratio = milliseconds / reference[at]!.milliseconds
      rows.push({ ...body, ratio, memory: memory / Math.max(memories[at]!.memory, 4) })
    }
    rows.sort((one, other) => other.ratio - one.ratio)
    const [time, memory] = [rows[0]!.ratio, Math.max(...rows.map(({ memory }) => memory))]
    return {
      passed: time <= bounds.time && memory <= bounds.memory && !signal.aborted,
      figures: {
        'bodies tried': tried,
        'bytes of a body': size,
        'a plain body, in milliseconds': Number(reference[0]!.milliseconds.toFixed(3)),
        'the most expensive body, in plain bodies': Number(time.toFixed(1)),
        'the largest growth of memory, in plain bodies': Number(memory.toFixed(1))
      },
      details: table(['body', 'processor time', 'memory'],
        rows.map(({ name, ratio, memory }) => [`\`${name}\``, ratio.toFixed(1), memory.toFixed(1)]))
    }
  })
}
