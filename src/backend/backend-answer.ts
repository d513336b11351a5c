import { firstDuplicate } from '../guard/duplicate-keys.js'

/** Returns the text for the client, or a default if the `error` of a refusal is not a text. */
export const refusalText = (error: unknown): string =>
  typeof error === 'string' && error !== '' ? error : 'Refused by the merchant'

/** Returns the reason for programs; undefined if the `code` of a refusal could not be a part of a header. */
export const reasonOf = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(code) ? code : undefined

/** Body of a backend's response. */
interface Answer {
  readonly allowed: boolean | undefined
  readonly error: string
  readonly code: string | undefined
}

/**
 * Returns the decision that the body of a backend's response contains, and the text and reason for the client. The
 * decision is undefined if the body is not JSON with a boolean `allowed`, or has duplicate keys.
 */
export function answerIn (text: string): Answer {
  try {
    const { allowed, error, code } = Object(JSON.parse(text))
    const isDecision = typeof allowed === 'boolean' && firstDuplicate(text) === undefined
    return { allowed: isDecision ? allowed : undefined, error: refusalText(error), code: reasonOf(code) }
  } catch {
    return { allowed: undefined, error: refusalText(undefined), code: undefined }
  }
}
