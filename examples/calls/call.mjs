const { SIGNATURE_URL, SIGNATURE_KEY } = process.env
const signatureIn = /"signature"\s*:\s*"([0-9a-f]{64}\/\/\/[0-9a-f]{64})"/

export async function sign (fields) {
  for (let attempt = 1; ; attempt++) {
    let wait = 0.2 * attempt
    let isFinal = false
    let failure
    try {
      const response = await fetch(SIGNATURE_URL, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...SIGNATURE_KEY && { Authorization: `Bearer ${SIGNATURE_KEY}` } },
        body: JSON.stringify(fields),
        redirect: 'manual', // the fields are for this URL only
        signal: AbortSignal.timeout(5000)
      })
      const { status, headers } = response
      const text = await response.text()
      const found = signatureIn.exec(text)
      if (status === 200 && found) return found[1] // a log-in page has status 200, too
      failure = new Error(`${status} ${headers.get('Error-Code')} ${headers.get('X-Request-Id')}: ${text}`)
      wait = Math.max(wait, Number.parseInt(headers.get('Retry-After')) || 0) // a proxy may send a date
      const isRefused = status === 429 && !headers.has('Retry-After')
      isFinal = isRefused || ![408, 429, 502, 503, 504].includes(status)
    } catch (error) {
      failure = error
    }
    if (isFinal || attempt === 4 || wait > 10) throw failure
    await new Promise(resolve => setTimeout(resolve, 1000 * wait))
  }
}

console.log(await sign({
  amount: '100.00',
  merchantAccountNumber: '102551',
  orderId: 'ORDER-12345',
  sid: 'client-generated-session-id',
  clientTimeStamp: 1709912345678
}))
