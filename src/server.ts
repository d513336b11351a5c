import { load } from './text/program.js'

// Before the slow imports: a closed terminal or a reload must not end the service, and Node.js would open its inspector
// on SIGUSR1, which shows every user of this machine the token.
for (const signal of ['SIGHUP', 'SIGUSR1']) process.on(signal, () => {})
if (process.argv.length > 2) { // its text is not shown: it may be a secret
  process.stderr.write('payment-signature-backend: there are no arguments: payment-signature serve --check checks the variables\n')
  process.exit(2)
}
await load(() => import('./service.js'))
