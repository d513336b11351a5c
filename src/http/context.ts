import { AsyncLocalStorage } from 'node:async_hooks'

/** The context of a call of the handler: its second argument. Undefined for a request over the network. */
export const contexts = new AsyncLocalStorage<unknown>()
