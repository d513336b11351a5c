import type { Metrics } from './metrics.js'
import type { Attempt } from '../src/guards/attempt.js'
import type { RefusedError } from '../src/http/refusals.js'
import type { Merchants } from '../src/merchants/merchant.js'
import type { Redactor } from '../src/merchants/redactor.js'
import type { Environment } from '../src/settings/environment.js'

// Members that the plugins decorate. The package does not contain this file: it would change the types of users.
declare module 'fastify' {
  interface FastifyInstance {
    /** `env`: values of the environment variables. */
    config: Environment
    /** `env`: names of the variables that come from `.env`. */
    fromEnvFile: ReadonlySet<string>
    /** `env`: hides the token in all output. */
    redactor: Redactor
    /** `env`: true for an address of TRUST_PROXY. */
    isTrustedProxy: (address: string, hop: number) => boolean
    /** `metrics`: undefined without ADMIN_PORT. Labels must come from closed sets. */
    metrics: Metrics | undefined
    /** `merchants`: those of this moment. Their file, or that of the token, is read again. */
    merchants: Merchants
    /** `lifecycle`: each returns the reason why no new requests should be sent here; empty if there is none. */
    readiness: Array<() => string>
    /** `lifecycle`: makes readiness fail, and every response end its connection. The service still responds. */
    drain (): void
  }
  interface FastifyRequest {
    /** `http`: the client's address on arrival. A client that has left has none. */
    clientAddress: string
    /** `http`: true from the beginning of a reply, which may wait for the rest of the body. */
    hasReply: boolean
    /** `http`: the refusal that is the response, for its line in the log. */
    refusal: RefusedError | null
    /** `generate-signature`: the attempt to get a signature; null before it began. Undefined on other routes. */
    attempt?: Attempt | null
  }
}
