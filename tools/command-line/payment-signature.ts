#!/usr/bin/env node
const args = process.argv.slice(2)

// Before the slow imports: a closed terminal or a reload must not end the service, and Node.js would open its inspector
// on SIGUSR1, which shows every user of this machine the token.
if (args[0] === 'serve') for (const signal of ['SIGHUP', 'SIGUSR1']) process.on(signal, () => {})

/** Loads the program. An older Node.js lacks what it imports, and its error names only what is missing. */
async function load () {
  try {
    const { failureLine, main } = await import('./main.js')
    return { failureLine, main }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    process.stderr.write(`payment-signature: Node.js 20.20 or newer is needed; this is ${process.version}\n`)
    process.exit(1)
  }
}

const { failureLine, main } = await load()

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return // the reader, such as head, has exited
    if (stream === process.stdout) process.stderr.write(failureLine(`standard output cannot be written (${code})`, args))
    process.exit(2)
  })
}

process.exitCode = await main(args, {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env
})
