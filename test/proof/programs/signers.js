// Signers with mistakes, as JavaScript programmers make them. Usage: node signers.js requests.json
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

function fields ({ id, request: r, around: s }) {
  const variant = id[0]
  const op = variant === 'B' ? 'purchase' : (r.operationType ?? 'purchase').toLowerCase()
  const byOrder = (r.idType ?? '').toUpperCase() === 'ORDER_ID'
  const refs = { refund: r.transactionFCRN, void: r.transactionFCRN, inquiry: r.transactionId }
  const ref = (variant === 'B' ? r.orderId : refs[op]) ?? ''
  const order = (op === 'inquiry' ? byOrder && r.transactionId : r.orderId) || ''
  const amount = op === 'purchase' || op === 'refund' ? r.amount ?? '' : ''
  const account = r.merchantAccountNumber || r.accountNumber
  return { r, s, variant, op, ts: `${r.clientTimeStamp}`, sid: r.sid, amount, ref, order, token: s.token, account }
}
const first = f => f.ts + f.sid + f.amount + f.ref
const second = f => f.ts + (f.variant === 'A' ? f.order || 'null' : '') + f.token + f.account + f.amount + f.ref
const sha = text => createHash('sha256').update(text).digest('hex')
const sign = f => sha(first(f)) + '///' + sha(second(f))

const programs = {
  // js00 correct
  js00: sign,
  // js01 A one purchase,zero | amount
  // The amount is a number, so trailing zeros are missing ("100.00" becomes "100", "149.50" becomes "149.5").
  js01: f => sign({ ...f, amount: `${Number(f.amount)}` }),
  // js02 A one purchase/refund,noorder | orderIdOrNull
  // An absent order id is the text "undefined" instead of "null".
  js02: f => sign({ ...f, order: `${f.r.orderId}` }),
  // js03 A one purchase/void | clientTimeStamp
  // Date.now() is called twice: part 2 has a time stamp that is some milliseconds later than the one of part 1.
  js03: f => sha(first(f)) + '///' + sha(second({ ...f, ts: `${f.s.now}` })),
  // js04 A one inquiry,noamount | amount
  // An inquiry without amount signs the text "undefined" as its amount.
  js04: f => sign({ ...f, amount: `${f.r.amount}` }),
  // js05 A one purchase/refund | sid
  // The sid is generated again with randomUUID() for the signature, so it differs from the sid of the request.
  js05: f => sign({ ...f, sid: f.s.newSid }),
  // js06 A one purchase/refund,order | orderIdOrNull
  // The order id has "#" before it, as the shop shows it to its customers.
  js06: f => sign({ ...f, order: `#${f.order}` }),
  // js07 B one big | amount
  // The amount is formatted with toLocaleString('en-US'), so it has thousands separators.
  js07: f => sign({ ...f, amount: Number(f.amount).toLocaleString('en-US', { minimumFractionDigits: 2 }) }),
  // js08 B one | encoding
  // Both digests are written as Base64 instead of hexadecimal.
  js08: f => [first(f), second(f)].map(text => createHash('sha256').update(text).digest('base64')).join('///'),
  // js09 A one purchase/refund,order | orderIdOrNull
  // Part 2 has the sid in the place of the order id.
  js09: f => sign({ ...f, order: f.sid }),
  // js10 B one noorder | referenceNumber
  // An absent order id is the text "undefined" instead of an empty text.
  js10: f => sign({ ...f, ref: `${f.r.orderId}` }),
  // js11 A one purchase/refund | amount
  // The amount is in minor units: Math.round(amount * 100).
  js11: f => sign({ ...f, amount: `${Math.round(f.amount * 100)}` }),
  // js12 A one purchase/inquiry | clientTimeStamp
  // The time stamp is ISO 8601 text from toISOString() instead of epoch milliseconds.
  js12: f => sign({ ...f, ts: new Date(Number(f.ts)).toISOString() }),
  // js13 A one purchase/refund | separator
  // Array.join() without argument puts commas between the terms.
  js13: f => sha([f.ts, f.sid, f.amount, f.ref].join()) + '///' +
    sha([f.ts, f.order || 'null', f.token, f.account, f.amount, f.ref].join()),
  // js14 B one | part order
  // The parts are swapped: the part with the token comes first.
  js14: f => sha(second(f)) + '///' + sha(first(f)),
  // js15 A one purchase,order | referenceNumber
  // A purchase uses the order id as referenceNumber, as variant B does.
  js15: f => sign({ ...f, ref: f.r.orderId }),
  // js16 A one purchase/void | merchantToken
  // The environment variable of the token is not set, so the text "undefined" is hashed as token.
  js16: f => sign({ ...f, token: `${process.env.MERCHANT_TOKEN_OF_NOBODY}` }),
  // js17 B one zeros | accountNumber
  // The account number is converted to a number and loses its leading zeros.
  js17: f => sign({ ...f, account: `${Number(f.account)}` }),
  // js18 A one refund | amount
  // A refund signs an empty amount, as if it were a void.
  js18: f => sign({ ...f, amount: '' }),
  // js19 A two purchase,noorder,zero | amount, orderIdOrNull
  // The amount is a number without trailing zeros, and the absent order id is the text "undefined".
  js19: f => sign({ ...f, amount: `${parseFloat(f.amount)}`, order: `${f.r.orderId}` }),
  // js20 A two | encoding, joiner
  // The digests are Base64url, and the parts are joined with ".".
  js20: f => [first(f), second(f)].map(text => createHash('sha256').update(text).digest('base64url')).join('.'),
  // js21 A two purchase/refund | sid, clientTimeStamp
  // The sid is generated again, and part 2 has a later time stamp from a second call of Date.now().
  js21: f => sha(first({ ...f, sid: f.s.newSid })) + '///' + sha(second({ ...f, ts: `${f.s.now}` })),
  // js22 B two | merchantToken, hex case
  // The token keeps a trailing newline, and the digests are upper-case hexadecimal.
  js22: f => sign({ ...f, token: `${f.token}\n` }).toUpperCase(),
  // js23 A two refund,noorder | amount, orderIdOrNull
  // A refund signs an empty amount, and transactionFCRN is used as order id instead of "null".
  js23: f => sign({ ...f, amount: '', order: f.r.orderId ?? f.r.transactionFCRN }),
  // js24 A two inquiry,byother,amount | amount, orderIdOrNull
  // An inquiry signs the amount of the request, and the missing order id is an empty text instead of "null".
  js24: f => sha(f.ts + f.sid + f.r.amount + f.ref) + '///' +
    sha(f.ts + f.order + f.token + f.account + f.r.amount + f.ref),
  // js25 B two | clientTimeStamp, separator
  // The time stamp is in seconds, and the terms are joined with ":".
  js25: f => {
    const ts = Math.floor(f.r.clientTimeStamp / 1000)
    return sha([ts, f.sid, f.amount, f.ref].join(':')) + '///' +
      sha([ts, f.token, f.account, f.amount, f.ref].join(':'))
  },
  // js26 A two purchase/refund | merchantToken, digest
  // Both parts are HMAC-SHA256 without the token as term, and their key is the old token.
  js26: f => [first(f), f.ts + (f.order || 'null') + f.account + f.amount + f.ref]
    .map(text => createHmac('sha256', f.s.oldToken).update(text).digest('hex')).join('///'),
  // js27 A odd purchase/refund | separator
  // The signer hashes JSON.stringify() of the array of terms.
  js27: f => sha(JSON.stringify([f.ts, f.sid, f.amount, f.ref])) + '///' +
    sha(JSON.stringify([f.ts, f.order || 'null', f.token, f.account, f.amount, f.ref])),
  // js28 A odd purchase/refund,special | orderIdOrNull
  // The order id is URL-encoded with encodeURIComponent before it is hashed.
  js28: f => sign({ ...f, order: encodeURIComponent(f.order) }),
  // js29 B odd nonascii | encoding
  // The text is hashed as 'latin1', which keeps only the low byte of each character, instead of UTF-8.
  js29: f => [first(f), second(f)].map(text => createHash('sha256').update(text, 'latin1').digest('hex')).join('///'),
  // js30 A odd purchase/refund | amount
  // The amount is an object { value, currency }, so the text "[object Object]" is hashed.
  js30: f => sign({ ...f, amount: `${{ value: f.amount, currency: 'EGP' }}` }),
  // js31 A odd purchase/refund,numericorder | clientTimeStamp, orderIdOrNull
  // Time stamp and order id are numbers, so "+" adds them in part 2 instead of joining their texts.
  js31: f => sha(first(f)) + '///' +
    sha(f.r.clientTimeStamp + Number(f.order) + f.token + f.account + f.amount + f.ref),
  // js32 B odd | merchantToken
  // The promise of the secrets manager is not awaited, so the text "[object Promise]" is hashed as token.
  js32: f => sign({ ...f, token: `${Promise.resolve(f.token)}` })
}

for (const [program, signer] of Object.entries(programs)) {
  for (const line of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
    const result = { program, request: line.id, signature: signer(fields(line)) }
    process.stdout.write(JSON.stringify(result) + '\n')
  }
}
