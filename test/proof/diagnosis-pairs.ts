import { judgePairs, makeOthers } from './diagnosis.js'

// A process of the part diagnosis: judges every `cores`th pair from `core` on, and prints the results as JSON.
const [core = 0, cores = 1, count = 0, end = 0] = process.argv.slice(2).map(Number)
const { orders, damages } = makeOthers()
const pairs = orders.slice(0, count).map((order, index) => [order, damages[index]!] as const)
process.stdout.write(JSON.stringify(judgePairs(pairs.filter((_pair, index) => index % cores === core), end)))
