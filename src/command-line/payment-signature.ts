#!/usr/bin/env node
import { main } from './main.js'

// A reader that has seen enough, such as head, is no fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  openTerminal: async () => (await import('./open-terminal.js')).openTerminal()
})
