import { createHash } from 'node:crypto'

/*
 * A model of the service, written from docs/calling.md (the order of checks), the pages of the guards and the
 * specification. It predicts the response to a request from the configuration, without code of the service.
 */

/** Status, `Error-Code`, the error or the signature of a response, and the terms that the audit records. */
export type Prediction = readonly [status: number, code: string, text: string | RegExp, terms?: object]

export const token = 'token/of-the-model'
const [knownKey, unknownKey] = ['key-of-the-shop', 'key-of-nobody']
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const anonymous = {
  name: 'anonymous',
  operations: ['purchase', 'inquiry'],
  accountNumbers: ['102551'],
  maximumAmount: '500.00'
}
const limits = { maximumAmount: '1000.00', rate: 9 }
const operations = ['purchase', 'refund', 'void', 'inquiry', 'inquiry-without-id']
const accountNumbers = ['102551', '654321']
const shop: typeof anonymous & Partial<typeof limits> & { apiKeySha256: string } =
  { name: 'shop', apiKeySha256: sha256(knownKey), operations, accountNumbers, ...limits }

/** Answers of a backend, and what the client gets. Undefined: the signature. */
const answers: ReadonlyArray<readonly [status: number, body: string, result?: Prediction]> = [
  [200, '{"allowed":true}'],
  [200, '{"allowed":false,"allowed":true}'],
  [200, '{"allowed":false,"error":"already paid"}', [403, 'refused', 'already paid']],
  [200, '{"allowed":false}', [403, 'refused', 'Refused by the merchant']],
  [402, '{"allowed":false,"error":"no money"}', [402, 'refused', 'no money']],
  [409, '{"allowed":false,"error":"paid","code":"ALREADY_PAID"}', [409, 'refused; reason=ALREADY_PAID', 'paid']],
  [405, '{"allowed":false}', [403, 'refused', 'Refused by the merchant']],
  ...([
    [404, '<h1>Not found</h1>'], [403, ''], [429, ''], [200, '{"allowed":"true"}'], [200, ''], [204, ''], [307, ''], [407, ''],
    [201, '{"allowed":true}'], [500, '{"allowed":true}'], [503, '{"allowed":false}']
  ] as const).map(answer => [...answer, [503, 'authorization-unavailable', 'Authorization is unavailable, try again']] as const)
]

/** Refusals of the specification and of the guards. */
const refusals = {
  unknownKey: [401, 'api-key-unknown', 'The API key is not known'],
  noKey: [401, 'api-key-required', 'An API key is required: send it as Authorization: Bearer'],
  rate: [429, 'rate-limit', /^Too many requests: try again in \d+ seconds$/],
  amount: [400, 'amount-not-positive; field=amount', 'Invalid amount: amount must be greater than 0'],
  account: [400, 'account-number-required; field=merchantAccountNumber', 'merchantAccountNumber or accountNumber is required'],
  noSid: [400, 'sid-required; field=sid', 'sid is required (client-generated session ID)'],
  noTime: [400, 'client-timestamp-required; field=clientTimeStamp', 'clientTimeStamp is required (client-generated timestamp)'],
  notText: [500, 'not-text', 'Cannot convert object to primitive value'],
  sidOfA: [500, 'sid-invalid; field=sid', 'sid must be a non-empty string'],
  sidOfB: [500, 'sid-invalid; field=sid', 'sid must be a valid GUID (UUID v4)']
} as const

export const json = 'application/json'
const invalid = (text: string): Prediction => [400, 'body-invalid', text]
/** Requests with a fault of the body as a whole. */
const faults: ReadonlyArray<{ body: string | Buffer, type: string | undefined, result: Prediction }> = [
  { body: '{"amount":', type: json, result: invalid(`Body is not valid JSON but content-type is set to '${json}'`) },
  { body: '', type: json, result: invalid(`Body cannot be empty when content-type is set to '${json}'`) },
  { body: '', type: undefined, result: invalid('Request body must be a JSON object') },
  { body: '[{}]', type: json, result: invalid('Request body must be a JSON object') },
  {
    body: '"{\\"sid\\":\\"s\\"}"',
    type: json,
    result: invalid('Request body must be a JSON object, and is a JSON string: serialize the object only once')
  },
  { body: '[object Object]', type: json, result: invalid('Request body is "[object Object]": serialize the object as JSON') },
  { body: Buffer.from('{"sid":"\xe9"}', 'latin1'), type: json, result: invalid('Request body is not valid UTF-8') },
  { body: `{"x":"${'x'.repeat(16_384)}"}`, type: json, result: [413, 'body-too-large', 'Request body is too large'] },
  { body: '{}', type: 'text/plain', result: [415, 'content-type', `Unsupported Media Type: send the body as ${json}`] }
]

export const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
/** Usual and unusual values of each field. Values in `odd` are unusual in every field. */
const values: Record<string, readonly [usual: unknown[], unusual: unknown[]]> = {
  operationType: [['purchase', 'refund', 'void', 'inquiry', 'REFUND', 'clearCache', undefined], ['capture', 'refund ']],
  amount: [['100.00', '1.00', '500.00', '500.01', '1000.01', '0.99'], ['0.00', '-1', '0x10', '1e-400', 'abc', 100.5]],
  merchantAccountNumber: [['102551', '102551', '654321', '999999'], []],
  accountNumber: [[undefined], ['102551']],
  orderId: [['ORDER-1', undefined], []],
  sid: [[sid], ['s', 'not-a-uuid']],
  clientTimeStamp: [[1709912345678, '1709912345678'], [9999999999999, '0', 1.5]],
  merchantToken: [[undefined], ['of-the-body']],
  transactionFCRN: [['987654'], []],
  transactionId: [['ORDER-1', '987654', undefined], ['0f8fad5b-d9cb-169f-2165-70867728950e', '1.00']],
  idType: [['ORDER_ID', 'order_id'], ['SKU', 'FCRN', 'corruid', 'CORRELATION_UID']],
  AMOUNT: [[undefined], ['1.00']]
}
const odd: unknown[] = [
  '', ' ', 'null', 'undefined', null, 0, 7, false, [], ['5.00'], { a: 1 }, { toString: 1 }, '\ud800', 'é', '\0'
]
/** Fields that an operation uses, beside those of all operations. STRICT requires all but the last. */
const own = {
  purchase: ['amount', 'orderId'],
  refund: ['amount', 'transactionFCRN', 'orderId'],
  void: ['transactionFCRN', 'orderId'],
  inquiry: ['transactionId', 'idType'],
  clearcache: []
}
type Kind = keyof typeof own
const kindOf = (operation: string): Kind => operation in own ? operation as Kind : 'purchase'
const ofAll = ['merchantAccountNumber', 'sid', 'clientTimeStamp']

/** A setting in which every guard is off. */
export const plain: Setting = {
  variant: 'A',
  callers: undefined,
  isStrict: false,
  asksBackend: false,
  rate: 0,
  reports: false,
  knowsClearCache: true
}

export function settingOf (one: <Item>(...items: Item[]) => Item) {
  const variant = one<'A' | 'B'>('A', 'B')
  const callers = one(undefined, undefined, [anonymous, shop], [shop], [anonymous])
    ?.map(caller => variant === 'A' ? caller : { ...caller, operations: ['purchase'] })
  const [isStrict, asksBackend] = [one(true, false), one(true, false)]
  const reports = isStrict && callers === undefined && one(true, false)
  return { variant, callers, isStrict, asksBackend, rate: one(0, 0, 9), reports, knowsClearCache: variant === 'A' }
}
export type Setting = ReturnType<typeof settingOf>

/** Returns the setting without STRICT if it only reports. */
export const enforced = (setting: Setting): Setting => setting.reports ? { ...setting, isStrict: false } : setting

export type Attempt = ReturnType<typeof attemptOf>

export function attemptOf (
  { variant }: Setting, one: <Item>(...items: Item[]) => Item, happens: (share: number) => boolean
) {
  const operation = variant === 'A' ? one(...values.operationType![0]) : undefined
  const fields: Record<string, unknown> = { operationType: operation }
  const kind = kindOf(String(operation ?? '').toLowerCase())
  for (const name of [...ofAll, ...own[kind]]) fields[name] = one(...values[name]![0])
  if (fields.transactionId === undefined) delete fields.idType
  for (let count = one(0, 0, 0, 1, 1, 2, 5); count > 0; count--) {
    const [name, [, unusual]] = one(...Object.entries(values))
    fields[name] = one(...odd, ...unusual, ...unusual, undefined)
  }
  return {
    fields,
    key: one(undefined, knownKey, happens(0.1) ? unknownKey : knownKey),
    fault: happens(0.04) ? one(...faults) : undefined,
    /** A field that the body has twice; the last one counts. */
    twice: happens(0.04) ? one('amount', 'orderId') : undefined,
    auditFails: happens(0.04),
    answer: happens(0.6) ? answers[0]! : one(...answers)
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null
const optional = (value: unknown): string =>
  isNothing(value) || ['undefined', 'null'].includes(String(value)) ? '' : String(value)

/** Returns the operation of a request. A clear cache is a purchase if no guard knows it, or if it has another field. */
function operationOf ({ variant, knowsClearCache }: Setting, fields: Record<string, unknown>): Kind {
  if (variant === 'B') return 'purchase'
  const kind = kindOf(optional(fields.operationType).toLowerCase())
  if (kind !== 'clearcache') return kind
  const isAlone = [...own.refund, ...own.inquiry].every(name => optional(fields[name]) === '')
  return knowsClearCache && isAlone ? kind : 'purchase'
}

/** Returns the fields that break the grammar of STRICT. */
function strictFaults (setting: Setting, fields: Record<string, unknown>): string[] {
  const { variant, callers } = setting
  const isPresent = (name: string) => !isNothing(fields[name]) && fields[name] !== ''
  const text = (name: string) => !isPresent(name) ? '' : typeof fields[name] === 'object' ? '?' : String(fields[name])
  const operation = operationOf(setting, fields)
  const identifier = /^(?!(?:null|undefined)$)[\w.-]{1,64}$/
  const ids: Record<string, RegExp> = { FCRN: /^\d{1,32}$/, CORRUID: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i }
  ids.CORRELATION_UID = ids.CORRUID!
  const grammars: Record<string, RegExp> = {
    operationType: operation === 'clearcache' ? /^clearcache$/i : /^(?:purchase|refund|void|inquiry)$/i,
    amount: /^\d{1,12}\.\d\d$/,
    merchantAccountNumber: /^\d{6}$/,
    accountNumber: /^\d{6}$/,
    orderId: identifier,
    sid: /^[ -~]{1,256}$/,
    clientTimeStamp: /^[1-9]\d{12}$/,
    transactionFCRN: /^\d{1,32}$/,
    transactionId: ids[text('idType').toUpperCase()] ?? /^(?!\d*\.[\d.]*$)(?!(?:null|undefined)$)[\w.-]{1,64}$/,
    idType: /^(?:ORDER_ID|FCRN|CORRUID|CORRELATION_UID)$/i
  }
  const allowed = [...ofAll, 'accountNumber', ...own[operation], ...variant === 'A' ? ['operationType'] : []]
  const isOfType = (name: string) =>
    typeof fields[name] === 'string' || (name === 'clientTimeStamp' && typeof fields[name] === 'number')
  const wrong = [...Object.keys(grammars), 'merchantToken'].filter(name =>
    isPresent(name) && !(isOfType(name) && allowed.includes(name) && grammars[name]!.test(text(name))))
  const required = ['clientTimeStamp', ...operation === 'inquiry' ? [] : own[operation].slice(0, -1)]
  const isInquiry = operation === 'inquiry' && isPresent('transactionId')
  return [
    ...wrong,
    ...required.filter(name => !isPresent(name)),
    ...isInquiry && !isPresent('idType') ? ['idType'] : [],
    ...isInquiry && callers === undefined && /^\d+$/.test(text('transactionId')) ? ['transactionId'] : [],
    ...isPresent('merchantAccountNumber') && isPresent('accountNumber') ? ['accountNumber'] : [],
    ...Number(fields.clientTimeStamp) > Date.now() + 86_400_000 ? ['clientTimeStamp'] : [],
    ...'AMOUNT' in fields ? ['AMOUNT'] : []
  ]
}

/** Returns a function that predicts the responses to requests in a row. Several predictions: one of them is right. */
export function modelOf (setting: Setting): (attempt: Attempt) => Prediction[] {
  const { variant, isStrict, callers, asksBackend, rate } = setting
  const counts: Record<string, number> = {}
  const isOver = (name: string, max: number): boolean => (counts[name] = (counts[name] ?? 0) + 1) > max
  const isText = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || typeof value.toString === 'function'

  function predict ({ key, fault, twice, fields, answer }: Attempt): Prediction[] {
    const withKey = callers?.find((caller): caller is typeof shop => 'apiKeySha256' in caller)
    const known = key === knownKey ? withKey : undefined
    const isGuess = withKey !== undefined && key === unknownKey
    const caller = isGuess ? undefined : known ?? callers?.find(({ name }) => name === 'anonymous')
    if (callers !== undefined && caller === undefined) {
      if (rate > 0 && isOver('address', rate)) return [refusals.rate]
      return [isGuess ? refusals.unknownKey : refusals.noKey]
    }
    if (known === undefined && rate > 0 && isOver('address', rate)) return [refusals.rate]
    if (known !== undefined && (known.rate !== undefined || rate > 0) && isOver('shop', known.rate ?? rate)) return [refusals.rate]
    if (fault !== undefined) return [fault.result]

    const { amount, sid, clientTimeStamp, merchantToken } = fields
    if (!isText(amount)) return [refusals.notText]
    if (parseFloat(String(amount)) <= 0) return [refusals.amount]
    const account = fields.merchantAccountNumber || fields.accountNumber
    if (!account) return [refusals.account]
    if (isNothing(sid) || sid === '') return [refusals.noSid]
    if (isNothing(clientTimeStamp)) return [refusals.noTime]
    const isUuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i
    const isSid = typeof sid === 'string' && (variant === 'B' ? isUuid.test(sid) : sid.trim() !== '')
    const read = variant === 'B' ? ['orderId'] : ['operationType', 'orderId', 'transactionFCRN', 'transactionId', 'idType']
    const isReadable = [account, clientTimeStamp, merchantToken, ...read.map(name => fields[name])].every(isText)
    const failures = [...isSid ? [] : [refusals[`sidOf${variant}`]], ...isReadable ? [] : [refusals.notText]]
    if (failures.length > 0) return failures

    const faults = () => twice === undefined ? strictFaults(setting, fields) : [twice]
    const broken = isStrict || callers !== undefined ? faults() : []
    if (broken.length > 0) {
      return broken.map(field =>
        [400, `strict; field=${field.replace('AMOUNT', 'amount')}`, new RegExp(`^${field} (?:must|is|\\d)`)])
    }
    const [fcrn, id, idType] = ['transactionFCRN', 'transactionId', 'idType']
      .map(name => variant === 'B' ? '' : optional(fields[name])) as [string, string, string]
    const kind = operationOf(setting, fields)
    const isListing = kind === 'clearcache' || (kind === 'inquiry' && id === '')
    if (caller !== undefined) {
      const policy = (rule: string, rest: string): Prediction[] =>
        [[403, `policy; reason=${rule}`, new RegExp(`^caller "${caller.name}" may not sign ${rest} \\(${rule}\\)$`)]]
      const right = isListing ? 'inquiry-without-id' : kind
      const isLimited = kind === 'purchase' || kind === 'refund'
      if (!caller.operations.includes(right)) return policy('operations', '.*')
      const isLikeVoid = kind === 'inquiry' && /^\d+$/.test(id)
      if (isLikeVoid && !caller.operations.includes('void')) return policy('operations', 'this inquiry: .*')
      if (!caller.accountNumbers.includes(String(account))) return policy('accountNumbers', 'for this account')
      const isHigh = isLimited && Number(amount) > Number(caller.maximumAmount)
      if (isHigh) return policy('maximumAmount', 'an amount above \\d+.00')
    }
    if (asksBackend && answer[2] !== undefined) return [answer[2]]

    const terms = {
      purchase: [optional(amount), ''], refund: [optional(amount), fcrn], void: ['', fcrn], inquiry: ['', id], clearcache: ['', '']
    }[kind] as [string, string]
    const { orderId } = fields
    const ofB = [isNothing(amount) || amount === 'undefined' ? '' : String(amount), isNothing(orderId) ? '' : String(orderId)]
    const [signedAmount, reference] = (variant === 'B' ? ofB : terms) as [string, string]
    const idOfOrder = idType.toUpperCase() === 'ORDER_ID' ? id : ''
    const order = variant === 'B' ? '' : kind === 'inquiry' ? idOfOrder : optional(orderId)
    const ownToken = merchantToken ? String(merchantToken) : ''
    const second = `${variant === 'B' ? '' : order || 'null'}${ownToken || token}${account}`
    const parts = [`${clientTimeStamp}${sid}`, `${clientTimeStamp}${second}`]
      .map(start => sha256(`${start}${signedAmount}${reference}`))
    const named = variant === 'B'
      ? { amount: signedAmount, orderId: reference }
      : kind === 'inquiry'
        ? { transactionId: reference, idType: idType.toUpperCase() }
        : { amount: signedAmount, transactionFCRN: reference, orderId: order }
    return [[200, '', parts.join('///'), {
      caller: caller?.name ?? 'anonymous',
      variant,
      operation: kind === 'clearcache' ? 'clearCache' : kind,
      accountNumber: String(account).toWellFormed(),
      clientTimeStamp: String(clientTimeStamp).toWellFormed(),
      sidSha256: sha256(String(sid)),
      ...Object.fromEntries(Object.entries(named).filter(([, text]) => text !== '').map(([name, text]) => [name, text.toWellFormed()])),
      ...kind === 'inquiry' && /^\d+$/.test(reference) && { alsoSignedLike: 'void' },
      ...isListing && { alsoSignedLike: kind === 'inquiry' ? 'clearCache' : 'inquiry' },
      ...ownToken ? { merchantToken: 'of the request' } : {}
    }]]
  }
  const unrecorded: Prediction = [503, 'audit-unavailable', 'Audit is unavailable, try again']
  return attempt => predict(attempt).map(prediction =>
    prediction[0] === 200 && attempt.auditFails ? unrecorded : prediction)
}
