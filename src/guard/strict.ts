import { codePoint } from '../scheme/characters.js'
import { uuidV4 } from '../scheme/derivation-b.js'
import type { Operation } from '../scheme/operation.js'
import { operationOf, users } from '../scheme/operation.js'
import type { SignatureRequest } from '../scheme/signature-request.js'
import { isEmpty } from '../scheme/text.js'
import type { Variant } from '../scheme/variant.js'

type Field = keyof SignatureRequest

interface Grammar {
  readonly pattern: RegExp
  /** One character that may occur. */
  readonly character: RegExp
  /** Completes "FIELD must be …". */
  readonly allowed: string
}

/** A character that is neither a digit nor a point tells an order id from an amount, an FCRN, or both together. */
const orderId: Grammar = {
  pattern: /^(?!(?:null|undefined)$)(?=.*[A-Za-z_-])[A-Za-z0-9._-]{1,64}$/,
  character: /[A-Za-z0-9._-]/,
  allowed: '1 to 64 ASCII letters, digits, points, - and _, with a letter, - or _ among them; not null or undefined'
}

const grammars = {
  operationType: {
    pattern: /^(?:purchase|refund|void|inquiry)$/i,
    character: /[a-z]/i,
    allowed: 'purchase, refund, void or inquiry'
  },
  amount: {
    pattern: /^[0-9]{1,12}\.[0-9]{2}$/,
    character: /[0-9.]/,
    allowed: '1 to 12 ASCII digits, a point and 2 digits, such as 100.00'
  },
  orderId,
  transactionFCRN: { pattern: /^[0-9]{1,32}$/, character: /[0-9]/, allowed: '1 to 32 ASCII digits' },
  transactionId: orderId,
  idType: {
    pattern: /^ORDER_ID$/i,
    character: /[a-z_]/i,
    allowed: 'ORDER_ID (an inquiry by any other id could be signed like a void)'
  },
  sid: {
    pattern: uuidV4,
    character: /[0-9a-f-]/i,
    allowed: 'a UUID version 4'
  },
  clientTimeStamp: {
    pattern: /^[1-9][0-9]{12}$/,
    character: /[0-9]/,
    allowed: '13 digits, epoch milliseconds'
  }
} as const satisfies Partial<Record<Field, Grammar>>

type Grammatical = keyof typeof grammars

const grammatical = Object.keys(grammars) as Grammatical[]

/** What each operation puts into the signature (specification 4.3); it must not carry more. */
const fieldsOf: Record<Operation | 'B', { required: readonly Grammatical[], optional: readonly Grammatical[] }> = {
  purchase: { required: ['sid', 'clientTimeStamp', 'amount'], optional: ['operationType', 'orderId'] },
  refund: { required: ['sid', 'clientTimeStamp', 'amount', 'transactionFCRN'], optional: ['operationType', 'orderId'] },
  void: { required: ['sid', 'clientTimeStamp', 'transactionFCRN'], optional: ['operationType', 'orderId'] },
  inquiry: { required: ['sid', 'clientTimeStamp', 'transactionId', 'idType'], optional: ['operationType'] },
  B: { required: ['sid', 'clientTimeStamp', 'amount'], optional: ['orderId'] }
}

/** Says what is wrong, with the code point of the first character that looks right to people at best. */
function mismatch (field: Field, value: unknown, { pattern, character, allowed }: Grammar): string | undefined {
  const text = field === 'clientTimeStamp' && typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return `${field} must be a string: ${allowed}`
  if (pattern.test(text)) return undefined
  const stranger = [...text].find(one => !character.test(one))
  if (stranger === undefined) return `${field} must be ${allowed}`
  return `${field} must be ${allowed}; it has ${codePoint(stranger)} at position ${text.indexOf(stranger) + 1}`
}

/**
 * The grammar under which a signature stands for one request only. The scheme joins its terms without separators and
 * leaves the operation out, so without it an inquiry can have the signature of a refund. docs/strict.md has the proof.
 *
 * @param variant - the scheme, A or B
 * @param accountNumberDigits - the length of every account number; a fixed one, or its end could be read as the amount
 * @returns a function that returns what is wrong with a request, or undefined; it never throws
 */
export function strictGrammar (variant: Variant, accountNumberDigits: number) {
  const accountNumber: Grammar = {
    pattern: new RegExp(`^[0-9]{${accountNumberDigits}}$`),
    character: /[0-9]/,
    allowed: `${accountNumberDigits} ASCII digits`
  }

  return function faultIn (request: SignatureRequest): string | undefined {
    const { operationType } = request
    if (variant === 'A' && !isEmpty(operationType)) {
      const fault = mismatch('operationType', operationType, grammars.operationType)
      if (fault !== undefined) return fault
    }
    const operation = variant === 'A' ? operationOf(operationType) : 'B'
    const user = users[operation]
    const { required, optional } = fieldsOf[operation]

    if (!isEmpty(request.merchantToken)) return 'merchantToken must be left out: only the configured token signs'
    const [account, other] = isEmpty(request.merchantAccountNumber)
      ? ['accountNumber', 'merchantAccountNumber'] as const
      : ['merchantAccountNumber', 'accountNumber'] as const
    if (!isEmpty(request[other])) return `${other} must be left out when ${account} is given`
    const fault = mismatch(account, request[account], accountNumber)
    if (fault !== undefined) return fault

    for (const field of grammatical) {
      if (isEmpty(request[field])) {
        if (required.includes(field)) return `${field} is required for ${user}`
        continue
      }
      if (!required.includes(field) && !optional.includes(field)) {
        return `${field} must be left out: ${user} does not use it`
      }
      const fault = mismatch(field, request[field], grammars[field])
      if (fault !== undefined) return fault
    }
    return undefined
  }
}
