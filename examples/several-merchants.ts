import { createHash, timingSafeEqual } from 'node:crypto'
import { createApp, type AppOptions } from 'payment-signature-backend/app'

/** Record of a merchant in the platform's database. All merchants of an app have its VARIANT. */
export interface Merchant {
  readonly token: string
  /** SHA-256 of the API key of the merchant's backend: 64 hexadecimal digits. */
  readonly apiKeySha256: string
}

// One response for an unknown account and a wrong key: it does not reveal which accounts exist.
const refusal = { statusCode: 403, error: 'The account or the API key is not known' }

function isKeyOf ({ apiKeySha256 }: Merchant, authorization = ''): boolean {
  const [, key = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  const digest = createHash('sha256').update(key).digest('hex')
  return key !== '' && digest.length === apiKeySha256.length && timingSafeEqual(Buffer.from(digest), Buffer.from(apiKeySha256))
}

const guards = { STRICT: true, ACCEPT_BODY_TOKEN: false, RATE_LIMIT_MAX: 600 }

/** Returns a merchant from the database. Cache slow look-ups. */
type Find = (accountNumber: string) => Promise<Merchant | undefined>

/** Returns the whole service. */
export function createPlatform (find: Find, options: AppOptions = {}) {
  return createApp({
    ...options,
    config: { ...process.env, ...guards, ...options.config } as AppOptions['config'],
    async authorize ({ request, headers }) {
      const merchant = await find(request.merchantAccountNumber)
      return merchant !== undefined && isKeyOf(merchant, headers.authorization) ? true : refusal
    },
    async merchantToken (accountNumber) {
      return (await find(accountNumber))?.token ?? refusal
    }
  })
}
