/** Parts of a Redis URL. */
export interface RedisAddress {
  /** `single`: one host name. `sentinel`: the primary that Sentinels know. `cluster`: the nodes of a Cluster. */
  kind: 'single' | 'sentinel' | 'cluster'
  isTls: boolean
  /** A redis: or rediss: URL for each host, with the other parts of the URL. */
  urls: [string, ...string[]]
}

const pattern = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/([^/?#]*@)?([^/?#]*)(.*)$/

/** True if the percent-encoding of a user and a password is valid. */
function isDecodable (text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Parses `redis://host:port/database`, `redis+sentinel://host:port,host:port/database?name=primary` or
 * `redis+cluster://host:port,host:port`. `rediss` in place of `redis` means TLS. The hosts may follow
 * `user:password@`.
 *
 * @returns undefined for any other text
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
