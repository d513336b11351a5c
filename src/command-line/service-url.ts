import { httpUrlIn } from '../service/http-url.js'
import { CommandError } from './command.js'

/**
 * An http or https URL.
 *
 * @throws CommandError it is something else; the message does not repeat it, since a URL may hold a password
 */
export function urlIn (text: string): URL {
  const url = httpUrlIn(text)
  if (url !== undefined) return url
  throw new CommandError('the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name ' +
    'or password')
}

/** Where a service is, as somebody gave it: without a query, a final slash, or the path of one of its endpoints. */
export function baseOf (url: URL): string {
  return url.origin + url.pathname.replace(/\/(?:health|ready|api\/generate-signature)$/, '').replace(/\/+$/, '')
}
