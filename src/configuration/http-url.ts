/** Returns an http or https URL without a user or a password. Returns undefined for any other text. */
export function httpUrlIn (text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.username + url.password === '' ? url : undefined
}
