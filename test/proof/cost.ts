import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { listening, root, sayingWhere, server } from '../support/server.js'
import { inScope, randomOf, table } from './part.js'
import type { Part } from './part.js'
import { send } from '../support/send.js'

/** Bytes of each body: below the default of BODY_LIMIT. */
const size = 100_000

/** Largest accepted ratios of a body's cost to the cost of a plain body. */
const bounds = { time: 6, memory: 2 }

const clockTicksPerSecond = 100

/** Options of Node.js. With a large heap, the memory is that of garbage: equal bodies differ by 30 MiB. */
const smallHeap = ['--max-old-space-size=64', '--max-semi-space-size=1']

/** Keys that the search for duplicate keys reads: nested objects with long keys, and many members in the innermost. */
interface Keys {
  /** Text that is repeated in each key. */
  text: string
  depth: number
  /** Bytes of a key of a nested object. */
  length: number
  members: number
  /** Bytes of a key of a member. */
  memberLength: number
  /** True if all members have the same key. */
  isSame: boolean
}

/** A body is a sequence of repeated texts. The last text is repeated until the body has its size. */
interface Body {
  pieces: Array<{ text: string, count: number }>
  keys?: Keys
  filler: string
  /** True for a service with STRICT, which refuses after other steps. */
  isStrict: boolean
}

const start = '{"merchantAccountNumber":"102551","sid":"s","clientTimeStamp":1'
const closing = '"}'
const plain = (isStrict: boolean): Body =>
  ({ pieces: [{ text: start, count: 1 }, { text: ',"x":"', count: 1 }], filler: 'a', isStrict })

/** Texts inside a string, which are repeated. */
const texts = ['a', 'é', '\\u00e9', '\\"', '\\\\', '\\n', '\\ud800', '😀', '0', '.', ' ', '\u2028', '\\u0000', 'null', 'ａ', '\ufeff', 'İ', 'Σ', 'ſ', 'ΐ']
/** Names of members whose value is a string that is repeated. */
const names = ['amount', 'orderId', 'sid', 'operationType', 'idType', 'transactionId', 'transactionFCRN', 'accountNumber',
  'merchantAccountNumber', 'merchantToken', 'clientTimeStamp', 'x']
/** Structures that are repeated: they close by themselves. */
const structures = ['"x":1', '"amount":"1"', '"x":{}', '"x":[]', '"x":[[[[]]]]', '"amount":[[[[1]]]]', '"orderId":[1,2,3]', '"x":1e308',
  '"x":0.1234567890123456789', '"1":1', '"constructor":1', '"x":-0', '"x":"\\u0061"', '"sid":{"a":1}',
  '"operationType":"inquiry"']

/** Returns two equal keys, which STRICT ignores but which start its search, and the given keys. */
function keysText ({ text, depth, length, members, memberLength, isSame }: Keys): string {
  const key = (bytes: number): string => text.repeat(Math.floor(bytes / Buffer.byteLength(text)))
  const all = Array.from({ length: members }, (_, at) => `"${key(memberLength)}${isSame ? '' : at}":1`)
  return `,"y":0,"y":0,${`"${key(length)}":{`.repeat(depth)}${all.join()}${'}'.repeat(depth)}`
}

function textOf ({ pieces, keys, filler }: Body): string {
  const [first, ...others] = pieces.map(({ text, count }) => text.repeat(count))
  const whole = [first, keys === undefined ? '' : keysText(keys), ...others].join('')
  const left = size - Buffer.byteLength(whole) - closing.length
  return whole + filler.repeat(Math.max(0, Math.floor(left / Buffer.byteLength(filler)))) + closing
}

/** Long, deep and wide keys, and many duplicates, each as far as size and number of values allow. */
const families: Body[] = ['k', '\\u006b', '\\"'].flatMap(text => [
  { depth: 1, length: 92_000, members: 900, memberLength: 1, isSame: true },
  { depth: 450, length: 190, members: 500, memberLength: 1, isSame: true },
  { depth: 900, length: 90, members: 1, memberLength: 1, isSame: true },
  { depth: 0, length: 0, members: 980, memberLength: 90, isSame: true },
  { depth: 0, length: 0, members: 980, memberLength: 90, isSame: false },
  { depth: 30, length: 1500, members: 900, memberLength: 50, isSame: false }
].map(keys => ({ ...plain(true), keys: { ...keys, text } })))

function randomKeys (random: () => number): Keys {
  const depth = Math.floor(random() ** 3 * 900)
  const members = 1 + Math.floor(random() * (970 - depth))
  const bytes = size * 0.95 * random()
  const share = random()
  return {
    text: texts[Math.floor(random() * texts.length)] as string,
    depth,
    length: depth === 0 ? 0 : Math.floor(bytes * share / depth),
    members,
    memberLength: Math.floor(bytes * (depth === 0 ? 1 : 1 - share) / members),
    isSame: random() < 0.5
  }
}

/** Returns a random body: structures, arrays in fields, then a string of one or two texts in a field. */
function randomBody (random: () => number): Body {
  const one = <Item>(items: Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const amount = (max: number) => Math.floor(random() ** 2 * max)
  if (random() < 0.3) return { ...plain(random() < 0.8), keys: randomKeys(random), filler: one(texts) }
  const members = Array.from({ length: amount(4) }, (_, at) => ({ text: `,${one(structures).replace('"x"', `"x${at}"`)}`, count: 1 + amount(330) }))
  const depth = amount(400)
  const arrays = random() < 0.3 ? [{ text: `,"${one(names)}":${'['.repeat(depth)}${']'.repeat(depth)}`, count: depth > 0 ? 1 : 0 }] : []
  return {
    pieces: [{ text: start, count: 1 }, ...members, ...arrays, { text: `,"${one(names)}":"`, count: 1 }],
    filler: [one(texts), one(texts)].slice(0, 1 + amount(2)).join(''),
    isStrict: random() < 0.5
  }
}

/** Changes one piece of a body. */
function mutated (body: Body, random: () => number): Body {
  const other = randomBody(random)
  if (body.keys !== undefined) return { ...body, keys: { ...randomKeys(random), text: body.keys.text } }
  if (random() < 0.4) {
    return { ...body, filler: other.filler, pieces: [...body.pieces.slice(0, -1), ...other.pieces.slice(-1)] }
  }
  const at = 1 + Math.floor(random() * (body.pieces.length - 1))
  const pieces = body.pieces.map((piece, index) => index === at && index < body.pieces.length - 1
    ? { ...piece, count: Math.min(Math.max(1, Math.floor(piece.count * 2 * random())), 330) }
    : piece)
  return { ...body, pieces }
}

export const cost: Part = {
  name: 'cost',
  shows: `No body costs more than ${bounds.time} times the processor time, or ${bounds.memory} times the memory, of a ` +
    'plain body of the same size: the most expensive one of a search, and long, deep, wide and duplicate keys.',
  run: inScope('cost', async (t, { seed, short, minutes = 60, directory, note, signal }) => {
    const random = randomOf(seed)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => agent.destroy())

    /** Starts a service, and returns a function that measures it. */
    async function startMeasured (isStrict: boolean) {
      const service = server(t, { LOG_LEVEL: 'silent', STRICT: String(isStrict) }, { nodeOptions: [sayingWhere, ...smallHeap] })
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
      return async function measure (body: string, seconds: number): Promise<{ milliseconds: number, memory: number }> {
        writeFileSync(`/proc/${service.process.pid}/clear_refs`, '5')
        const [memory, from, end] = [peak(), processorTime(), performance.now() + seconds * 1000]
        let requests = 0
        for (; performance.now() < end; requests++) await send(port, { agent, body })
        return { milliseconds: (processorTime() - from) / requests, memory: peak() - memory }
      }
    }
    const [lenient, strict] = [await startMeasured(false), await startMeasured(true)]
    const measure = (body: Body, seconds: number) => (body.isStrict ? strict : lenient)(textOf(body), seconds)
    const references = async () => {
      for (const isStrict of [false, true]) await measure(plain(isStrict), short ? 1 : 5)
      return [await measure(plain(false), short ? 1 : 10), await measure(plain(true), short ? 1 : 10)] as const
    }
    const first = await references()
    const stored = join(directory, 'bodies.json')
    const earlier: Body[] = [...families, ...existsSync(stored) ? JSON.parse(readFileSync(stored, 'utf8')) : []]
    let ranked: Array<{ body: Body, ratio: number }> = []
    const end = performance.now() + (short ? 10_000 : minutes * 60_000)
    let tried = 0
    while (performance.now() < end && !signal.aborted) {
      const isNew = ranked.length < 20 || random() < 0.3
      const parent = ranked[Math.floor(random() ** 2 * ranked.length)]?.body
      const body = earlier.shift() ?? (isNew || parent === undefined ? randomBody(random) : mutated(parent, random))
      const { milliseconds } = await measure(body, short ? 0.2 : 0.5)
      const ratio = milliseconds / first[Number(body.isStrict) as 0 | 1].milliseconds
      ranked = [...ranked, { body, ratio }].sort((one, other) => other.ratio - one.ratio).slice(0, 20)
      if (++tried % 100 === 0) {
        writeFileSync(stored, JSON.stringify(ranked.map(({ body }) => body)))
        note(`${tried} bodies, the most expensive: ${ranked[0]?.ratio.toFixed(1)} times a plain body`)
      }
    }
    // A single measurement exaggerates: the highest ones are repeated for longer. The rank knows nothing of the memory.
    const again = await references()
    const rows = []
    for (const body of new Set([...ranked.slice(0, 10).map(({ body }) => body), ...families])) {
      const { milliseconds, memory } = await measure(body, short ? 0.5 : 10)
      const reference = again[Number(body.isStrict) as 0 | 1]
      rows.push({ body, ratio: milliseconds / reference.milliseconds, memory: memory / Math.max(reference.memory, 4) })
    }
    rows.sort((one, other) => other.ratio - one.ratio)
    const [dearest] = rows
    if (!short) writeFileSync(join(root, 'test/proof/results/cost-body.json'), `${JSON.stringify(dearest?.body, undefined, 2)}\n`)
    const largestMemory = Math.max(...rows.map(({ memory }) => memory))
    const describeKeys = ({ text, depth, length, members, memberLength, isSame }: Keys) =>
      `${depth} × {"${text} …" of ${length} bytes: ${members} × "${text} …" of ${memberLength} bytes, ` +
        (isSame ? 'equal' : 'different')
    const describe = ({ pieces, keys, filler, isStrict }: Body) => [
      ...keys === undefined ? [] : [describeKeys(keys)],
      ...pieces.slice(1).map(({ text, count }) => `${count} × ${text.slice(0, 40)}`), `${filler} …`, isStrict ? 'with STRICT' : 'without STRICT'
    ].join(' ')
    return {
      passed: dearest !== undefined && dearest.ratio <= bounds.time && largestMemory <= bounds.memory,
      figures: {
        'bodies tried': tried,
        'bytes of a body': size,
        'a plain body, in milliseconds': Math.round(again[0].milliseconds * 1000) / 1000,
        'the most expensive body, in plain bodies': Math.round((dearest?.ratio ?? NaN) * 10) / 10,
        'the largest growth of memory, in plain bodies': Math.round(largestMemory * 10) / 10
      },
      details: table(['body', 'processor time', 'memory'], rows.map(({ body, ratio, memory }) => [`\`${describe(body)}\``, ratio.toFixed(1), memory.toFixed(1)]))
    }
  })
}
