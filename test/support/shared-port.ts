import { sharedPortRestarts } from './rolling-restarts.js'
import { scoped } from './scope.js'

/*
 * Restarts two instances that share a port in turn, and prints the outcome as JSON. The command line has the number of
 * rounds. It is a program of its own because it runs in a network of its own.
 */
const rounds = Number(process.argv[2])
const { signed, failures } = await scoped('shared-port', scope => sharedPortRestarts(scope, { delay: 1000, rounds, pause: 20 }))
process.stdout.write(`${JSON.stringify({ signed, failures })}\n`)
