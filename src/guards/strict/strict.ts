import type { FastifyRequest } from 'fastify'
import { RefusedError } from '../../http/refusals.js'
import { fieldNames, fieldsOf, type Field, type Operation, type Reading } from '../../scheme/request.js'
import { alsoSignedLike } from '../../scheme/same-signature.js'
import { isStrict, type Environment } from '../../settings/environment.js'
import { codePoint } from '../../text/characters.js'
import { firstDuplicate } from '../../text/json.js'
import type { Guard } from '../attempt.js'
import { irregularitiesOf, titleOf, type Irregularity } from './irregularities.js'

/*
 * Proof that no signature serves for two operations, under the assumptions of SECURITY.md (What STRICT
 * assumes):
 *
 * 1. Part 2 joins time stamp, order term, token, account number and a rest. The rest is an amount (purchase), an amount
 *    and an FCRN (refund), an FCRN (void), the id (inquiry), or empty.
 * 2. The token can stand in one place only. At a second place, account number and rest would contain all its
 *    characters. One of these is neither digit nor point, and only the id of an inquiry can contain such a character,
 *    so the caller would know the token.
 * 3. Hence equal texts have equal parts, because time stamp and account number have a fixed length.
 * 4. No rest has the form of two operations, except that an inquiry by digits has the form of a void, for which the
 *    caller needs both rights, and an inquiry without an id that of a clear cache, which are one right. An
 *    id with a letter, `_` or `-` has the form of an inquiry only.
 * 5. In variant B, the amount ends two digits after the point.
 * 6. A length extension of SHA-256 adds the byte 80 (hexadecimal), which no amount or FCRN contains.
 *
 * If the payment side accepts more than these assumptions, then
 *
 * - with amounts of 0, 1 or more than 2 decimals, voids serve as purchases and refunds, and digits move between amount
 *   and FCRN (variant B: order id);
 * - with amounts such as `1e5` or `-5.00`, inquiries by such an id serve as purchases and refunds;
 * - with FCRNs that have letters, inquiries by such an id serve as voids and refunds;
 * - without required fields, inquiries without an id serve as voids and purchases, purchases and voids as refunds;
 * - with account numbers of other lengths, digits move between account and amount.
 */

interface Grammar {
  readonly pattern: RegExp
  /** Matches an allowed character. */
  readonly character: RegExp
  /** Completes "FIELD must be …". */
  readonly allowed: string
}

const orderId: Grammar = {
  pattern: /^(?!(?:null|undefined)$)[A-Za-z0-9._-]{1,64}$/,
  character: /[A-Za-z0-9._-]/,
  allowed: '1 to 64 ASCII letters, digits, points, - and _; not null or undefined'
}

const transactionFCRN: Grammar = { pattern: /^[0-9]{1,32}$/, character: /[0-9]/, allowed: '1 to 32 ASCII digits' }

/**
 * Grammar of the id of an inquiry by `ORDER_ID`. In the signed text, the id has the place of amount and FCRN. Digits
 * with a point could be an amount, or an amount and an FCRN.
 */
const transactionId: Grammar = {
  pattern: /^(?!(?:null|undefined)$)(?![0-9]*\.[0-9.]*$)[A-Za-z0-9._-]{1,64}$/,
  character: /[A-Za-z0-9._-]/,
  allowed: '1 to 64 ASCII letters, digits, points, - and _; not null or undefined; and no digits with a point alone, ' +
    'which would be signed like a purchase or a refund'
}

const correlationId: Grammar = {
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  character: /[0-9a-f-]/i,
  allowed: 'a UUID: 8-4-4-4-12 hexadecimal digits'
}

/** Grammars of `transactionId` for the other values of `idType`. The last one is the Android library's name. */
const idGrammars: Readonly<Partial<Record<string, Grammar>>> = {
  FCRN: transactionFCRN, CORRUID: correlationId, CORRELATION_UID: correlationId
}

const idTypes = 'ORDER_ID, FCRN, CORRUID or CORRELATION_UID (by another type, the signature could be that of a purchase, a refund or a void)'

const grammars: Partial<Record<Field, Grammar>> = {
  operationType: {
    pattern: /^(?:purchase|refund|void|inquiry)$/i,
    character: /[a-z]/i,
    allowed: 'purchase, refund, void, inquiry or clearCache'
  },
  amount: {
    pattern: /^[0-9]{1,12}\.[0-9]{2}$/,
    character: /[0-9.]/,
    allowed: '1 to 12 ASCII digits, a point and 2 digits, such as 100.00'
  },
  orderId,
  transactionFCRN,
  idType: { pattern: /^(?:ORDER_ID|FCRN|CORRUID|CORRELATION_UID)$/i, character: /[a-z_]/i, allowed: idTypes },
  transactionId,
  sid: { pattern: /^[ -~]{1,256}$/, character: /[ -~]/, allowed: '1 to 256 printable ASCII characters' },
  clientTimeStamp: { pattern: /^[1-9][0-9]{12}$/, character: /[0-9]/, allowed: '13 digits, epoch milliseconds' }
} satisfies Record<Exclude<Field, 'merchantAccountNumber' | 'accountNumber' | 'merchantToken'>, Grammar>

const grammatical = Object.keys(grammars) as Field[]

/** The fields that a strict request of an operation must have. Variant B has one operation, a purchase. */
const required: Readonly<Record<Operation, readonly Field[]>> = {
  purchase: ['amount', 'clientTimeStamp'],
  refund: ['amount', 'transactionFCRN', 'clientTimeStamp'],
  void: ['transactionFCRN', 'clientTimeStamp'],
  inquiry: ['clientTimeStamp'],
  clearCache: ['clientTimeStamp']
}

/** Length limit of the search for a character that is not allowed, in UTF-16 code units. No grammar allows more. */
const maxLength = 256

/** Returns undefined if the text matches, otherwise an error message with the first character that is not allowed. */
function mismatch (field: Field, text: string, { pattern, character, allowed }: Grammar): string | undefined {
  if (pattern.test(text)) return undefined
  const invalid = [...text.slice(0, maxLength)].find(one => !character.test(one))
  if (invalid === undefined) return `${field} must be ${allowed}`
  return `${field} must be ${allowed}; it has ${codePoint(invalid)} at position ${text.indexOf(invalid) + 1}`
}

const refusal = (field: Field, message: string) => new RefusedError('strict', message, { field })

/** Message for a request with a token of its own. */
export const ownTokenFault = 'merchantToken must be left out: only the configured token signs'

/** Time by which a time stamp may be ahead of the clock, in milliseconds: a day. */
const maxAhead = 86_400_000

/**
 * Returns a check of requests against the strict grammar. A signature of a request that passes serves for no other
 * purchase, refund or void. With a policy, the inquiries by digits of {@link alsoSignedLike} pass too, and the policy
 * judges them. Without the grammar an inquiry can have the signature of a refund, because the scheme joins its terms
 * without separators and does not sign the operation. The proof is at the top of this file.
 *
 * The check also refuses time stamps of the future, so that a stolen API key cannot collect signatures for later years.
 *
 * @param accountNumberDigits - all account numbers have this length: otherwise the end of a number could be the
 *   beginning of the amount
 * @returns a function that returns the first fault, or undefined if the request passes; the function never throws
 */
export function strictRule (accountNumberDigits: number, hasPolicy: boolean) {
  const accountNumber: Grammar = {
    pattern: new RegExp(`^[0-9]{${accountNumberDigits}}$`),
    character: /[0-9]/,
    allowed: `${accountNumberDigits} ASCII digits`
  }
  const grammarOf = (field: Field, { idType }: Reading): Grammar =>
    (field === 'transactionId' ? idGrammars[idType.toUpperCase()] : undefined) ?? grammars[field] ?? accountNumber

  function irregular ({ kind, field, sent }: Irregularity, reading: Reading): string | undefined {
    switch (field === 'merchantToken' ? 'own-token' : kind) {
      case 'type':
        // The grammar applies to a time stamp that is text or a number.
        if (field === 'clientTimeStamp' && (sent === 'a string' || sent === 'a number')) return undefined
        return `${field} must be a string: ${grammarOf(field, reading).allowed}`
      case 'unknown-operation':
        if (sent.toLowerCase() === 'clearcache') {
          return 'operationType must come without amount, orderId, transactionFCRN, transactionId and idType if it is clearCache'
        }
        return mismatch(field, sent, grammarOf(field, reading))
      case 'counts-as-empty':
        return mismatch(field, sent, grammarOf(field, reading))
      case 'not-used':
        return `${field} must be left out: ${titleOf(reading)} does not use it`
      case 'two-account-numbers':
        return 'accountNumber must be left out when merchantAccountNumber is given'
      case 'key-case':
        return `${sent} must be left out: the field is ${field}`
      case 'own-token':
        return ownTokenFault
    }
  }

  /**
   * Yields each check, with a message if the request does not pass.
   *
   * @param now - the time of the clock, in epoch milliseconds
   */
  function * faults (reading: Reading, irregularities: readonly Irregularity[], now: number):
  Generator<[field: Field, message: string | undefined]> {
    for (const irregularity of irregularities) yield [irregularity.field, irregular(irregularity, reading)]
    const account = reading.accountNumberField
    yield [account, mismatch(account, reading.accountNumber, accountNumber)]

    const texts: { readonly [field in Field]?: string | number | undefined } = fieldsOf(reading)
    for (const field of grammatical) {
      if (field === 'operationType' && reading.operation === 'clearCache') continue // sent in another spelling
      const text = (field === 'idType' ? reading.idType : texts[field]) ?? '' // the type as it was sent: the scheme reads ı as I
      if (text === '') {
        if (required[reading.operation].includes(field)) {
          const isBare = field === 'amount' && reading.operation === 'purchase' && reading.orderIdOrNull === 'null'
          const hint = isBare ? '; for clear cache, send operationType clearCache' : ''
          yield [field, `${field} is required for ${titleOf(reading)}${hint}`]
        }
        if (field === 'idType' && texts.transactionId !== undefined) {
          yield [field, 'idType is required for an inquiry with a transactionId']
        }
      } else yield [field, mismatch(field, String(text), grammarOf(field, reading))]
    }
    const ahead = Number(reading.clientTimeStamp) - now
    if (ahead > maxAhead) {
      // The service's clock may be the wrong one, so the message mentions both.
      yield ['clientTimeStamp', `clientTimeStamp ${reading.clientTimeStamp} is ${ahead} ms ahead of the service's clock; ` +
        `it may be at most ${maxAhead} ms ahead`]
    }
    if (hasPolicy || alsoSignedLike(reading) !== 'void') return
    yield ['transactionId', 'transactionId must not be only digits: the signature would also be that of a void on FCRN ' +
      `${reading.referenceNumber}; a policy can allow it to callers that may void`]
  }

  return function faultIn (
    reading: Reading, irregularities: readonly Irregularity[], now: number
  ): RefusedError | undefined {
    for (const [field, message] of faults(reading, irregularities, now)) {
      if (message !== undefined) return refusal(field, message)
    }
    return undefined
  }
}

/** Returns the guard of STRICT, which a policy implies: its rules need unambiguous texts. Undefined without both. */
export function strictGuard (config: Environment) {
  const isReport = config.STRICT === 'report'
  if (!isStrict(config) && !isReport) return undefined
  const faultIn = strictRule(config.ACCOUNT_NUMBER_DIGITS, config.POLICY_FILE !== '')
  const duplicates = new WeakMap<FastifyRequest, Field>()

  /** Looks for fields that the text of a body has twice: the body has only the last of them. */
  function onText (request: FastifyRequest, text: string): void {
    const duplicate = firstDuplicate(text, fieldNames) as Field | undefined
    if (duplicate !== undefined) duplicates.set(request, duplicate)
  }

  const guard: Guard = ({ request, body, merchant, reading, attempt }) => {
    const duplicate = duplicates.get(request)
    const fault = duplicate === undefined
      ? faultIn(reading, irregularitiesOf(body, reading), Date.now())
      : refusal(duplicate, `${duplicate} must be given only once`)
    if (fault === undefined) return
    if (!isReport) throw fault
    attempt.wouldRefuse = fault
    request.log.warn(fault.members(merchant.redact), 'request would be refused')
  }
  return { onText, guard }
}
