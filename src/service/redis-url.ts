/** What a Redis URL asks for. */
export interface RedisAddress {
  /** One server, whatever moves behind its name; the primary that Sentinels know; or the nodes of a Cluster. */
  kind: 'single' | 'sentinel' | 'cluster'
  isTls: boolean
  /** For each of the hosts, a redis: or rediss: URL with all else of the given one. */
  urls: [string, ...string[]]
}

const pattern = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/([^/?#]*@)?([^/?#]*)(.*)$/

/** Whether a user or a password can be decoded. */
function isDecodable (text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Reads a `redis://host:port/database`, or `redis+sentinel://host:port,host:port/database?name=primary`, or
 * `redis+cluster://host:port,host:port`; `rediss` in place of `redis` is for TLS. All may have `user:password@` before
 * the hosts.
 *
 * @returns undefined for anything else
 */
export function parseRedisUrl (text: string): RedisAddress | undefined {
  const [, scheme = '', kind = 'single', user = '', hosts = '', rest = ''] = pattern.exec(text) ?? []
  const urls = hosts.split(',').map(host => `${scheme}://${user}${host}${rest}`) as [string, ...string[]]
  if (!urls.every(url => URL.canParse(url))) return undefined
  const { username, password, pathname, searchParams } = new URL(urls[0])
  const database = /^\/?(\d*)$/.exec(pathname)?.[1]
  if (database === undefined || !isDecodable(username + password)) return undefined
  if (kind === 'single' && (urls.length > 1 || `${hosts}${rest}` === '')) return undefined
  if (kind !== 'single' && hosts.split(',').includes('')) return undefined
  if (kind === 'sentinel' && !searchParams.get('name')) return undefined
  if (kind === 'cluster' && Number(database) !== 0) return undefined
  return { kind: kind as RedisAddress['kind'], isTls: scheme === 'rediss', urls }
}
