import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns an address without port, brackets and interface, which some proxies write into X-Forwarded-For; `unknown` for
 * any other text, which a client may have written.
 */
export function addressOf (ip: string): string {
  const [, bracketed, plain] = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(ip) ?? []
  const [address] = (bracketed ?? plain ?? ip).split('%', 1) as [string]
  return isIP(address) === 0 ? 'unknown' : address
}

/**
 * Returns the key under which a client is counted: `address:192.0.2.1`, the /64 network of an IPv6 address, or
 * `address:unknown`.
 */
export function clientKey (ip: string): string {
  const text = addressOf(ip)
  const address = text === 'unknown' ? text : ipaddr.process(text) // IPv4 in IPv6 becomes IPv4
  if (!(address instanceof ipaddr.IPv6)) return `address:${address.toString()}`
  return `address:${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}`
}
