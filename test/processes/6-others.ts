import { importTests } from '../support/import-tests.js'

await importTests('', 'tools', 'plugins/signing', 'plugins/http', 'src', 'server', 'lint', 'signals', 'system')
