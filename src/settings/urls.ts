/** Returns an http or https URL without a user or a password. Returns undefined for any other text. */
export function httpUrlIn (text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.username + url.password === '' ? url : undefined
}

/** True if the percent-encoding of a user and a password is valid. */
function isDecodable (text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** True for `redis://user:password@host:port/database`, with `rediss` for TLS. */
export function isRedisUrl (text: string): boolean {
  if (!/^rediss?:\/\/[^,]+$/.test(text) || !URL.canParse(text)) return false
  const { username, password, pathname } = new URL(text)
  return /^\/?\d*$/.test(pathname) && isDecodable(username + password)
}
