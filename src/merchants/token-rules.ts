import { codePoint, isInvisible } from '../text/characters.js'
import { isJson } from '../text/json.js'

/** Default token, a placeholder that everybody knows (specification, part 5). */
export const developmentToken = 'development-only-token'

/** Length below which every token can be guessed, in characters. */
const minCharacters = 16

const quoted = /^(["'`]).*\1$/su
const variable = /\$\{[^{}]*\}|\{\{[^{}]*\}\}|\$\([^()]*\)|^\$\w+$|^%\w+%$/u
const placeholder = /^<.*>$|your|change.?me|paste|placeholder/iu

/** References and assignments that no token can be. */
const reference = /^(?:@Microsoft\.KeyVault\(.+\)|arn:aws[\w-]*:.+|op:\/\/.+|Bearer .+|MERCHANT_TOKEN=.*)$/su

/** Texts that are usually references, paths or assignments. A token in base64 may look like `NAME=`. */
const likeReference = /^(?:vault:|ENC\[|projects\/|file:\/\/|\.{1,2}\/|\/(?:run|etc|var|mnt|opt|home|secrets?)\/|[A-Z_]{3,}=)/u

/** Marks and words that programs show in the place of a secret, such as `****`, `[REDACTED]`, `SecretStr('***')`. */
const aroundMask = '(?:[*\\u2022\\u25cf\\u00b7.\\u2026\\u2588#_\\-\\[\\](){}<>"\'\\s]|b\')*'
const maskWord = '(?:redacted|filtered|masked|hidden|removed|protected|secure|sensitive(?: value)?|secret(?:str|bytes)?)'
const mask = new RegExp(
  `^(?:x{3,}|(?=.*[^a-z]|(?:redacted|filtered|masked)$)${aroundMask}(?:${maskWord}${aroundMask})*)$`, 'iu')
const masked = /[*#]{3}|[\u2022\u25cf\u2588]{2}|\.{3}|\u2026|x{6}/iu

/**
 * Returns a phrase for a text that refers to a token and cannot be one, such as an ARN that nobody has resolved;
 * otherwise undefined.
 */
export const referenceFault = (text: string): string | undefined =>
  reference.test(text) || (text.startsWith('{') && isJson(text)) ? 'is a reference, an assignment or an object, and not the secret itself' : undefined

/**
 * Returns a phrase for each likely mistake in a token. A phrase completes "the merchant token …", and contains at
 * most the code point of a character of the token.
 */
export function tokenWarnings (text: string): string[] {
  const characters = [...text]
  const invisible = characters.find(character => character === ' ' || isInvisible(character))
  const foreign = characters.find(character => character > '\x7f' && /\p{L}/u.test(character))
  const isNearlyAscii = foreign !== undefined && characters.filter(character => character > '\x7f').length * 4 < characters.length
  return ([
    [quoted.test(text), 'is in quotes, which are signed as part of it'],
    [invisible !== undefined, `has ${codePoint(invisible ?? ' ')}, white space or invisible, which is signed as part of it`],
    [isNearlyAscii, `has ${codePoint(foreign ?? ' ')} among ASCII letters, which may only look like one of them`],
    [variable.test(text), 'looks like a variable that nobody has expanded'],
    [placeholder.test(text), 'looks like a placeholder'],
    [referenceFault(text) !== undefined, referenceFault(text) ?? ''],
    [mask.test(text) || masked.test(text), 'looks masked, as a screen or a log shows a secret: copy the whole token'],
    [likeReference.test(text), 'looks like a reference to a secret, a path or an assignment, and not like the secret itself'],
    [characters.length < minCharacters, `has fewer than ${minCharacters} characters, and can be guessed from a single signature`]
  ] as const).filter(([isLikely]) => isLikely).map(([, warning]) => warning)
}

/** Requirements that not every service has. */
export interface TokenRules {
  readonly strict: boolean
  readonly production: boolean
}

/**
 * Yields each reason why a token cannot be used, whatever its source is. Contains nothing of the token.
 */
export function * tokenFaults (token: string, { strict, production }: TokenRules): Generator<string> {
  // Such a token looks like the fields beside it in a pre-image.
  if (strict && /^[0-9.]+$/.test(token)) yield 'STRICT needs a token that has more than digits and points'
  if (/[\p{Cs}\ufffd]/u.test(token)) {
    yield 'the token has U+FFFD or half a surrogate pair, which a wrong encoding leaves: copy it again'
  }
  if (!production) return
  if (token === developmentToken) {
    yield 'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s token, or ' +
      'MERCHANT_TOKEN_FILE to the path of a file that holds it'
  }
  const fault = referenceFault(token) ?? (mask.test(token) ? 'is a mask, and not the secret itself: copy the whole token' : undefined)
  if (fault !== undefined) yield `NODE_ENV=production refuses the merchant token: it ${fault}`
}
