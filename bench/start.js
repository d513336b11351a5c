import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onServerProcessor } from './processors.js'
import { body, signature, token } from './request.js'
import { start as startServer } from './server.js'
import { bareFastify, serviceDefault } from './targets.js'

/** Milliseconds from the start of a server's process to its first answer. */
async function untilFirstAnswer (target, directory) {
  const server = await startServer(target, directory)
  await server.stop()
  return server.startTime
}

/** Milliseconds that a command takes from start to end; throws unless its output has `expected`. */
async function untilEnd (command, expected, directory) {
  const [program, ...args] = onServerProcessor(command)
  const startedAt = performance.now()
  const child = spawn(program, args, {
    cwd: directory,
    env: { PATH: process.env.PATH, MERCHANT_TOKEN: token },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  child.stdin.on('error', () => {}).end(body()) // it need not read it
  let output = ''
  child.stdout.setEncoding('utf8').on('data', chunk => { output += chunk })
  const [code] = await once(child, 'close')
  const time = performance.now() - startedAt
  if (code !== 0 || !output.includes(expected)) throw new Error(`${command.join(' ')} ended with ${code}: ${output}`)
  return time
}

/** The built command-line program, if the package has one. */
function commandLine () {
  const root = join(import.meta.dirname, '..')
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const path = join(root, bin?.['payment-signature'] ?? 'bin')
  if (existsSync(path)) return [path]
  process.stdout.write('skipped: sign on the command line, there is no payment-signature in package.json\'s bin\n')
  return []
}

/** How long it takes from nothing to a signature, in milliseconds, as a server and as a command. */
export async function start ({ rounds = 15, directory, say }) {
  const rows = [
    { label: 'bare Fastify, first 200', time: () => untilFirstAnswer(bareFastify, directory) },
    { label: 'service, first 200', time: () => untilFirstAnswer(serviceDefault, directory) },
    { label: 'node -e 0', time: () => untilEnd([process.execPath, '-e', '0'], '', directory) },
    ...commandLine().map(path => ({
      label: 'payment-signature sign',
      time: () => untilEnd([process.execPath, path, 'sign'], signature, directory)
    }))
  ].map(row => ({ ...row, milliseconds: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const { label, time, milliseconds } of rows) {
      milliseconds.push(await time())
      say(`round ${round + 1} of ${rounds}: ${label}, ${milliseconds.at(-1).toFixed(0)} ms`)
    }
  }
  return { rows: rows.map(({ label, milliseconds }) => ({ label, milliseconds })) }
}
