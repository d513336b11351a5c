import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Authorize } from '../../src/signing/backend.js'
import { isLoopback } from '../../src/process/listen.js'

/** True if requests to a URL leave this machine unencrypted. */
const isInTheClear = (url: string): boolean => url.startsWith('http:') && !isLoopback(new URL(url).hostname)

function warn (app: FastifyInstance, authorize: Authorize | undefined): void {
  const { config, log, modes } = app
  const isOpen = config.POLICY_FILE === '' && config.AUTHORIZE_URL === '' && authorize === undefined
  if (isOpen && app.signingMerchants !== undefined) {
    log.warn('whoever reaches this service gets signatures of every merchant: set POLICY_FILE or AUTHORIZE_URL')
  }
  if (config.NODE_ENV !== 'production') return
  const { CORS_ORIGIN, POLICY_FILE, AUTHORIZE_URL, ACCEPT_BODY_TOKEN, RATE_LIMIT_MAX } = config
  const warnings = [
    [CORS_ORIGIN === '*',
      'CORS_ORIGIN is *: web pages of any origin may get signatures; set it to the origins of your shop'],
    [isOpen && app.signingMerchants === undefined,
      'whoever reaches this service gets signatures, refunds included: set POLICY_FILE or AUTHORIZE_URL'],
    [authorize === undefined && isInTheClear(AUTHORIZE_URL),
      'AUTHORIZE_URL is http:// to another host: cookies and API keys are sent there in the clear; use https://'],
    [!modes.judgesStrictly,
      'STRICT is false: the signature of one request may also be that of another operation; set it to true'],
    [ACCEPT_BODY_TOKEN, 'ACCEPT_BODY_TOKEN is true: clients may send a merchant token of their own; set it to false'],
    [RATE_LIMIT_MAX === 0, `RATE_LIMIT_MAX is 0: ${POLICY_FILE === '' ? 'clients' : 'callers without a rate in the policy'} may ask ` +
      'as often as they like; set it to a number of requests']
  ] as const
  for (const [isOff, warning] of warnings) if (isOff) log.warn(warning)
}

/**
 * Logs a warning for each guard that is off in production, with the setting that turns the guard on. The warnings come
 * when all plugins have loaded: a fault that stops the start is more important.
 */
export default fp<{ authorize: Authorize | undefined }>(async function exposureWarnings (app, { authorize }) {
  app.addHook('onReady', async () => warn(app, authorize))
}, { name: 'exposure-warnings', dependencies: ['env'], fastify: '5.x' })
