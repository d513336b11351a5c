import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import paymentSignature from 'payment-signature-backend/fastify'

/** What the platform keeps of each merchant, by account number. */
export interface Merchant {
  readonly token: string
  readonly variant: 'A' | 'B'
  /** Of the key with which the merchant's backend asks for signatures: 64 hexadecimal digits. */
  readonly apiKeySha256: string
}

/** Asks the database; it should give up when the signal does. */
type Find = (accountNumber: string, signal?: AbortSignal) => Promise<Merchant | undefined>

export interface PlatformOptions extends FastifyServerOptions {
  /** How long a merchant is remembered, in milliseconds, and a replaced token still signs; a minute if not given. */
  maxAge?: number
}

/** Remembers merchants only: no failure, no question without an answer, and nothing of accounts that do not exist. */
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

// The same for an unknown account, another variant and a wrong key: it tells nobody which accounts there are.
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
      rateLimitMax: 600, // of an address in a minute: each unknown account is a question to the database
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
