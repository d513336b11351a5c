/** Resolves to true if any server responds at the URL. The page cannot read the response. */
const responds = url => fetch(url, { mode: 'no-cors' }).then(() => true, () => false)

/**
 * Resolves to the reason why there is no signature, as far as a page can find out, and a remedy.
 *
 * @param error - the error of requestSignature
 * @param url - the URL of the endpoint
 */
export async function reasonFor ({ code, status, message }, url) {
  if (status === 404 || status === 405) {
    return {
      title: message,
      advice: 'The URL is wrong. The service signs at /api/generate-signature. A proxy may add a path in front.'
    }
  }
  if (code !== 'ERR_NETWORK') return { title: message, advice: '' }

  const { origin } = new URL(url, document.baseURI)
  if (await responds(url)) {
    return {
      title: `A server responds at ${origin}, but this page may not read the response (CORS).`,
      advice: `If the server is the service, add ${globalThis.origin} to its CORS_ORIGIN. Otherwise the URL is wrong, or the server redirects.`
    }
  }
  return {
    title: `No server responds at ${origin}.`,
    advice: 'The host is unknown, no process listens at the port, or the certificate is not trusted. The browser\'s console has the reason.'
  }
}
