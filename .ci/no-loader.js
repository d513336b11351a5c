// tap registers a module loader, so that it can list the files of its coverage. On Node.js 20, each import then waits
// for another thread. `npm test` measures no coverage: without this loader, it needs a quarter less processor time.
import module from 'node:module'

const { register } = module
module.register = () => { module.register = register }
