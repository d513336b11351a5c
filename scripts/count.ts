import { linesOfCode, productionLines } from './lines-of-code.js'

for (const [name, lines] of Object.entries({ ...linesOfCode, production: productionLines })) process.stdout.write(`${name} ${lines}\n`)
