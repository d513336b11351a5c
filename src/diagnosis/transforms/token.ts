import { developmentToken } from '../../token/development-token.js'
import { fromHex } from '../bytes.js'
import { digestOf } from '../digest.js'
import type { Kind, Transform } from '../transform.js'

const kinds: readonly Kind[] = ['token']

/** What happens to a token where it is configured. The sentences never show it. */
export const token: readonly Transform[] = [
  {
    name: 'development',
    cost: 4,
    kinds,
    texts: () => [developmentToken],
    says: 'it was the development placeholder',
    fix: 'Set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE where the signature was made, and NODE_ENV=production.',
    isAlone: true
  },
  {
    name: 'missing',
    cost: 4,
    kinds,
    texts: () => [
      '', 'undefined', 'null', 'None', 'MERCHANT_TOKEN', '${MERCHANT_TOKEN}', '$MERCHANT_TOKEN', '%MERCHANT_TOKEN%', 'merchantToken', 'your-merchant-token', // eslint-disable-line no-template-curly-in-string
      'changeme', 'secret', 'token', 'test', '***', '********', '<merchantToken>', '[REDACTED]'
    ],
    says: 'it was missing: an empty text or a placeholder was used',
    fix: 'Check that the variable reaches the process that signs; compare the key check values.',
    isAlone: true
  },
  {
    name: 'cut-by-configuration',
    cost: 4,
    kinds,
    texts: text => [text.replace(/\s*#.*$/s, ''), text.replace(/\$\{?\w*\}?/g, ''), text.replace(/\\/g, ''), text.replace(/^[^=]*=/, '')],
    says: 'it lost a part at a #, $, \\ or = in a configuration file or shell',
    fix: 'Put it in single quotes in .env files and shells, or use MERCHANT_TOKEN_FILE.'
  },
  {
    name: 'with-its-name',
    cost: 5,
    kinds,
    texts: text => [
      ...['MERCHANT_TOKEN', 'merchantToken', 'TOKEN', 'token'].flatMap(name => ['=', ': ', ':', ' = '].map(sign => name + sign + text)),
      ...['Bearer', 'Basic', 'Token'].map(scheme => `${scheme} ${text}`), `export MERCHANT_TOKEN=${text}`, `MERCHANT_TOKEN="${text}"`,
      text.replace(/^(?:Bearer|Basic|Token) /i, '')
    ],
    says: 'it came with its name before it, or with a word such as Bearer',
    fix: 'Take only what follows the name: the line of a file is not the token.'
  },
  {
    name: 'hashed',
    cost: 5,
    kinds,
    texts: text => ['sha256', 'md5', 'sha1', 'sha512'].flatMap(algorithm => {
      const digest = digestOf(algorithm, text)
      return [digest, digest.toUpperCase(), btoa(fromHex(digest)), btoa(digest)]
    }),
    says: 'a hash of it was used in its place',
    fix: 'Join the token itself: only the whole text is hashed.'
  }
]
