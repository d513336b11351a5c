import { sharedPortRestarts } from './rolling-restarts.js'
import { scoped } from './scope.js'

// Prints the outcome as JSON. It is a program of its own because it runs in a network of its own.
process.stdout.write(JSON.stringify(await scoped('shared-port', sharedPortRestarts)))
