import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns the key under which a client is counted: `address:192.0.2.1`, the /64 network of an IPv6 address, or
 * `address:unknown`.
 *
 * @param client - a request, or an object with the address of a connection
 */
export function clientAddress (client: { readonly ip: string }): string {
  const { ip } = client // in a request, a getter that parses X-Forwarded-For: read it once
  // Some proxies forward the port too. With the port, each connection would count as another client.
  const [, bracketed, plain] = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(ip) ?? []
  // A link-local address names its interface, such as %eth0.100, which ipaddr.js does not parse.
  const [text] = (bracketed ?? plain ?? ip).split('%', 1) as [string]
  const version = isIP(text)
  if (version === 0) return 'address:unknown'
  if (version === 4) return `address:${text}`
  const address = ipaddr.process(text) // IPv4 in IPv6 becomes IPv4
  if (address instanceof ipaddr.IPv4) return `address:${address.toString()}`
  return `address:${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}`
}
