import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns an address without the port that some proxies write into X-Forwarded-For, and without brackets. */
export function addressOf (ip: string): string {
  const [, bracketed, plain] = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(ip) ?? []
  return bracketed ?? plain ?? ip
}

/**
 * Returns the key under which a client is counted: `address:192.0.2.1`, the /64 network of an IPv6 address, or
 * `address:unknown`.
 */
export function clientKey (ip: string): string {
  // A link-local address names its interface, such as %eth0.100, which ipaddr.js does not parse.
  const [text] = addressOf(ip).split('%', 1) as [string]
  const version = isIP(text)
  if (version === 0) return 'address:unknown'
  if (version === 4) return `address:${text}`
  const address = ipaddr.process(text) // IPv4 in IPv6 becomes IPv4
  if (address instanceof ipaddr.IPv4) return `address:${address.toString()}`
  return `address:${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}`
}
