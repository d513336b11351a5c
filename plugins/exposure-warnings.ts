import fp from 'fastify-plugin'
import { isLoopback } from '../src/service/listen.js'
import type { AuthorizeOptions } from './signing/authorize.js'

/** True if requests to a URL leave this machine unencrypted. */
const isInTheClear = (url: string): boolean => url.startsWith('http:') && !isLoopback(new URL(url).hostname)

/** Says in the log what a service in production leaves open, and what closes it. */
export default fp<AuthorizeOptions>(async function exposureWarnings (app, { authorize }) {
  const { config, log } = app
  if (config.NODE_ENV !== 'production') return

  if (config.CORS_ORIGIN === '*') {
    log.warn('CORS_ORIGIN is *: web pages of any origin may get signatures; set it to the origins of your shop')
  }
  if (config.POLICY_FILE === '' && config.AUTHORIZE_URL === '' && authorize === undefined) {
    log.warn('whoever reaches this service gets signatures, refunds included: set POLICY_FILE or AUTHORIZE_URL')
  }
  if (authorize === undefined && isInTheClear(config.AUTHORIZE_URL)) {
    log.warn('AUTHORIZE_URL is http:// to another host: cookies and API keys are sent there in the clear; use https://')
  }
  if (!config.STRICT && config.POLICY_FILE === '') {
    log.warn('STRICT is false: the signature of one request may also be that of another operation; set it to true')
  }
  if (config.ACCEPT_BODY_TOKEN) {
    log.warn('ACCEPT_BODY_TOKEN is true: clients may send a merchant token of their own; set it to false')
  }
  if (config.RATE_LIMIT_MAX === 0) {
    log.warn('RATE_LIMIT_MAX is 0: clients may ask as often as they like; set it to a number of requests')
  }
}, { name: 'exposure-warnings', dependencies: ['env'] })
