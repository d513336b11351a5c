import { isIP } from 'node:net'

/**
 * Returns the key under which a client is counted: `address:192.0.2.1`, the /64 network of an IPv6 address, or
 * `address:unknown`.
 *
 * @param client - a request, or an object with the address of a connection
 */
export function clientAddress (client: { readonly ip: string }, normalizeIP: (ip: string) => string): string {
  const { ip } = client // in a request, a getter that parses X-Forwarded-For: read it once
  // Some proxies forward the port too. With the port, each connection would count as another client.
  const [, bracketed, plain] = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(ip) ?? []
  const address = bracketed ?? plain ?? ip
  const version = isIP(address)
  if (version === 0) return 'address:unknown'
  return `address:${version === 4 ? address : normalizeIP(address)}`
}
