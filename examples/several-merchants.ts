import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import paymentSignature from 'payment-signature-backend/fastify'

/** Record of a merchant in the platform's database. */
export interface Merchant {
  readonly token: string
  readonly variant: 'A' | 'B'
  /** SHA-256 of the API key of the merchant's backend: 64 hexadecimal digits. */
  readonly apiKeySha256: string
}

/** Returns a merchant from the database. It should stop when the signal is aborted. */
type Find = (accountNumber: string, signal?: AbortSignal) => Promise<Merchant | undefined>

export interface PlatformOptions extends FastifyServerOptions {
  /** Milliseconds for which a merchant is cached. A replaced token signs for this long. Default: 60000. */
  maxAge?: number
}

/** Caches the merchants that are found. Failures and unknown accounts are not cached. */
function remembering (find: Find, { maxAge = 60_000 }: PlatformOptions): Find {
  const known = new Map<string, { merchant: Merchant, until: number }>()
  return async function merchantOf (accountNumber, signal) {
    const entry = known.get(accountNumber)
    if (entry !== undefined && entry.until > Date.now()) return entry.merchant
    const merchant = await find(accountNumber, signal)
    if (merchant === undefined) known.delete(accountNumber)
    else known.set(accountNumber, { merchant, until: Date.now() + maxAge })
    return merchant
  }
}

// One response for an unknown account, another variant and a wrong key: it does not reveal which accounts exist.
const refusal = { statusCode: 403, error: 'The account or the API key is not known' }

function isKeyOf ({ apiKeySha256 }: Merchant, authorization = ''): boolean {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  if (key === undefined) return false
  const digest = createHash('sha256').update(key).digest('hex')
  return digest.length === apiKeySha256.length && timingSafeEqual(Buffer.from(digest), Buffer.from(apiKeySha256))
}

/** Serves `/a/api/generate-signature` and `/b/api/generate-signature`, each for the merchants of one variant. */
export function createPlatform (find: Find, options: PlatformOptions = {}): FastifyInstance {
  const merchantOf = remembering(find, options)
  const app = Fastify({ logger: true, ...options })
  for (const variant of ['A', 'B'] as const) {
    app.register(paymentSignature, {
      prefix: `/${variant.toLowerCase()}`,
      variant,
      strict: true,
      acceptBodyToken: false,
      rateLimitMax: 600, // for each address and minute; each unknown account costs a database query
      async authorize ({ request, headers }, signal) {
        const merchant = await merchantOf(String(request.merchantAccountNumber), signal)
        return merchant?.variant === variant && isKeyOf(merchant, headers.authorization) ? true : refusal
      },
      async merchantToken (accountNumber) {
        return (await merchantOf(accountNumber))?.token ?? refusal
      }
    })
  }
  return app
}
