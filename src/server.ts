import { load } from './text/program.js'

process.on('SIGHUP', () => {}) // before the slow imports: a closed terminal or a reload must not end the service
await load(() => import('./service.js'))
