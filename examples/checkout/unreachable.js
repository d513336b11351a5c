/** Whether anything at all answers at a URL. The page may not read the answer, but learns that there is one. */
const answers = url => fetch(url, { mode: 'no-cors' }).then(() => true, () => false)

/**
 * Why there is no signature, as far as a browser lets a page know, and what to do about it.
 *
 * @param error - what requestSignature has thrown
 * @param url - what it was given
 */
export async function reasonFor ({ code, status, message }, url) {
  if (status === 404 || status === 405) {
    return {
      title: message,
      advice: 'The address is wrong. The service signs at /api/generate-signature, behind a proxy with its path before it.'
    }
  }
  if (code !== 'ERR_NETWORK') return { title: message, advice: '' }

  const { origin } = new URL(url, document.baseURI)
  if (await answers(url)) {
    return {
      title: `Something answers at ${origin}, but this page may not read it (CORS).`,
      advice: `If it is the service, add ${globalThis.origin} to its CORS_ORIGIN. If not, or if it redirects, the address is wrong.`
    }
  }
  return {
    title: `Nothing answers at ${origin}.`,
    advice: 'There is no such host, nothing listens at that port, or its certificate is not trusted; the browser\'s console says which.'
  }
}
