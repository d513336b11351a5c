import { load } from './text/program.js'

process.on('SIGHUP', () => {}) // before the slow imports: a closed terminal or a reload must not end the service
if (process.argv.slice(2).some(argument => argument !== '--check')) { // its text is not shown: it may be a secret
  process.stderr.write('payment-signature-backend: the only argument is --check; environment variables are the settings\n')
  process.exit(2)
}
await load(() => import('./service.js'))
