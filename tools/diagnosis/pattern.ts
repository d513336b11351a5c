import { fieldNames, type SignatureRequest } from '../../src/scheme/request.js'
import { quote } from '../explain/characters.js'
import { fieldText } from './context.js'

const properties: ReadonlyArray<readonly [form: RegExp, says: string]> = [
  [/[^\0-\x7f]/, 'has a character that is not ASCII'], [/\s/, 'has white space'], [/[A-Z]/, 'has capital letters'],
  [/[a-z]/, 'has small letters'], [/[^\w.-]/, 'has a special character'], [/\.\d*$/, 'has decimals']
]

/** Returns statements about a request that may separate failing requests from others, the most specific first. */
function statementsOf (request: SignatureRequest): string[] {
  return fieldNames.filter(field => field !== 'merchantToken').flatMap(field => {
    const text = fieldText(request[field])
    if (text === '') return [`${field} is absent`]
    // Random texts have common beginnings and ends by chance.
    const ends = field === 'sid' || field === 'clientTimeStamp'
      ? []
      : [`is ${quote(text)}`, `begins with ${text.slice(0, 1)}`, `ends in ${text.slice(-1)}`]
    const has = properties.filter(([form]) => form.test(text)).map(([, says]) => says)
    return ['is given', `is a ${typeof request[field]}`, ...has, ...ends].map(state => `${field} ${state}`)
  })
}

/** Returns a statement that is true for all failing requests and for no other request, such as `amount ends in 0`. */
export function patternOf (
  failing: readonly SignatureRequest[], others: readonly SignatureRequest[]
): string | undefined {
  if (failing.length < 2 || others.length === 0) return undefined
  const [all, rest] = [failing, others].map(requests => requests.map(request => new Set(statementsOf(request))))
  const statement = statementsOf(failing[0]!).find(statement =>
    all!.every(statements => statements.has(statement)) && !rest!.some(statements => statements.has(statement)))
  if (statement !== undefined) return statement
  for (const field of ['amount', 'clientTimeStamp'] as const) {
    const [bad, good] = [failing, others].map(requests => requests.map(request => Number(fieldText(request[field]))))
    if (Math.min(...bad!) > Math.max(...good!)) return `${field} is ${Math.min(...bad!)} or more`
    if (Math.max(...bad!) < Math.min(...good!)) return `${field} is ${Math.max(...bad!)} or less`
  }
}
