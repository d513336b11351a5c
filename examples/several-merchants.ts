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

type Find = (accountNumber: string) => Promise<Merchant | undefined>

export interface PlatformOptions extends FastifyServerOptions {
  /** How long a merchant is remembered, in milliseconds, and a replaced token still signs. */
  maxAge?: number
  /** How many accounts are remembered, the unknown ones included. */
  maxAccounts?: number
}

/** Asks once for many requests. A failure is not remembered. */
function remembering (find: Find, { maxAge = 60_000, maxAccounts = 10_000 }: PlatformOptions): Find {
  const known = new Map<string, { merchant: ReturnType<Find>, until: number }>()
  return function merchantOf (accountNumber) {
    const entry = known.get(accountNumber)
    if (entry !== undefined && entry.until > Date.now()) return entry.merchant
    if (known.size >= maxAccounts) known.clear()
    const merchant = find(accountNumber)
    known.set(accountNumber, { merchant, until: Date.now() + maxAge })
    merchant.catch(() => known.delete(accountNumber))
    return merchant
  }
}

// The same for an unknown account, another variant and a wrong key: it tells nobody which accounts there are.
const refusal = { statusCode: 403, error: 'The account or the API key is not known' }

function isKeyOf ({ apiKeySha256 }: Merchant, authorization = ''): boolean {
  const digest = createHash('sha256').update(authorization.replace(/^Bearer /, '')).digest()
  return timingSafeEqual(digest, Buffer.from(apiKeySha256, 'hex'))
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
      async authorize ({ request, headers }) {
        const merchant = await merchantOf(String(request.merchantAccountNumber))
        return merchant?.variant === variant && isKeyOf(merchant, headers.authorization) ? true : refusal
      },
      async merchantToken (accountNumber) {
        return (await merchantOf(accountNumber))?.token ?? refusal
      }
    })
  }
  return app
}
