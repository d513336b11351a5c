import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Who sends a request, by its address: `address:192.0.2.1`, or `address:unknown`; IPv6 by /64. */
export function clientAddress (request: FastifyRequest, normalizeIP: (ip: string) => string): string {
  const { ip } = request // which reads the headers of proxies
  // Some proxies forward the port as well, which would make each connection an address of its own.
  const [, bracketed, plain] = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(ip) ?? []
  const address = bracketed ?? plain ?? ip
  return `address:${isIP(address) === 0 ? 'unknown' : normalizeIP(address)}`
}
