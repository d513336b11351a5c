import { developmentToken } from '../../token/development-token.js'
import type { TermHypothesis } from '../hypothesis.js'

const terms = ['merchantToken'] as const

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]{4,}={0,2}$/.test(text)

/** The sentences never show a token. */
export const merchantToken: readonly TermHypothesis[] = [
  {
    name: 'token-newline',
    terms,
    texts: text => [`${text}\n`, `${text}\r\n`, `${text}\r`, text.replace(/[\r\n]+$/, '')],
    says: 'had a line break at its end, or lost one',
    fix: 'Write it with printf \'%s\' instead of echo; this service ignores one newline at the end of a token file.'
  },
  {
    name: 'token-white-space',
    terms,
    texts: text => [text.trim(), `${text} `, ` ${text}`, `${text}\t`, text.replace(/\s+/g, '')],
    says: 'had leading or trailing white space, or lost it',
    fix: 'Count its bytes where it is configured, and remove what does not belong to it.'
  },
  {
    name: 'token-quotes',
    terms,
    texts: text => [`"${text}"`, `'${text}'`, `\`${text}\``, text.replace(/^(["'`])(.*)\1$/s, '$2')],
    says: 'was in quotes on one side',
    fix: 'Docker\'s env files and some control panels take quotes literally: configure the token without them.'
  },
  {
    name: 'token-byte-order-mark',
    terms,
    texts: text => [`\ufeff${text}`, text.replace(/^\ufeff/, '')],
    says: 'began with a byte order mark, U+FEFF, or lost one',
    fix: 'Save the file that holds it as UTF-8 without a byte order mark.'
  },
  {
    name: 'token-base64',
    terms,
    texts: text => [
      ...(isBase64(text) ? [Buffer.from(text, 'base64').toString('utf8'), Buffer.from(text, 'base64').toString('latin1')] : []),
      Buffer.from(text).toString('base64'), Buffer.from(text).toString('base64url')
    ],
    says: 'was base64-encoded or decoded on one side',
    fix: 'A Kubernetes secret is base64 in its YAML and plain in the container: configure the plain text.'
  },
  {
    name: 'token-hex-case',
    terms,
    texts: text => [text.toLowerCase(), text.toUpperCase()],
    says: 'had letters of a different case',
    fix: 'Copy it again: upper and lower case matter.'
  },
  {
    name: 'token-hex-decoded',
    terms,
    texts: text => /^(?:[0-9a-f]{2})+$/i.test(text)
      ? [Buffer.from(text, 'hex').toString('latin1'), Buffer.from(text, 'hex').toString('utf8')]
      : [],
    says: 'was decoded from hexadecimal',
    fix: 'Use its text as is: the characters are hashed, not the bytes they may stand for.'
  },
  {
    name: 'token-cut-by-configuration',
    terms,
    texts: text => [text.replace(/\s*#.*$/s, ''), text.replace(/\$\{?\w*\}?/g, ''), text.replace(/\\/g, ''), text.replace(/^[^=]*=/, '')],
    says: 'lost a part at a #, $, \\ or = in a configuration file or shell',
    fix: 'Put it in single quotes in .env files and shells, or use MERCHANT_TOKEN_FILE.'
  },
  {
    name: 'token-percent-encoding',
    terms,
    * texts (text) {
      yield encodeURIComponent(text.toWellFormed())
      yield text.replaceAll('+', ' ')
      if (/^(?:[^%]|%[0-7][0-9a-f])*$/i.test(text)) yield decodeURIComponent(text)
    },
    says: 'was percent-encoded or decoded on one side',
    fix: 'Use its text as is.'
  },
  {
    name: 'token-development',
    terms,
    texts: () => [developmentToken],
    says: 'was the development placeholder',
    fix: 'Set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE where the signature was made, and NODE_ENV=production.',
    alone: 'term'
  },
  {
    name: 'token-missing',
    terms,
    texts: () => ['', 'undefined', 'null', 'None', 'MERCHANT_TOKEN', '${MERCHANT_TOKEN}', '$MERCHANT_TOKEN'], // eslint-disable-line no-template-curly-in-string
    says: 'was missing: an empty text or a placeholder was used',
    fix: 'Check that the variable reaches the process that signs; compare the key check values.',
    alone: 'term'
  }
]
