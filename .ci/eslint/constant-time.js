/** What a secret is, or is derived from one, is called. */
const secretNames = /(?:digests?|sha256|hash256|hmac|signature|api_?key|token)$|^expected/i

/** What everybody knows: nothing secret is compared to it. */
const knownNames = new Set(['developmentToken', 'digestOfNothing', 'documentedDigests', 'noToken'])

/** What compares texts or bytes, or finds one among others, and takes the longer the more of it is right. */
const comparing = new Set([
  'compare', 'endsWith', 'equals', 'get', 'has', 'includes', 'indexOf', 'lastIndexOf', 'localeCompare', 'startsWith'
])

const isKnown = ({ name }) => knownNames.has(name)

function isSecret (node) {
  switch (node.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return secretNames.test(node.name)
    case 'MemberExpression':
      return isSecret(node.property)
    case 'CallExpression':
      return isSecret(node.callee) || (node.callee.type === 'MemberExpression' && isSecret(node.callee.object))
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return isSecret(node.expression)
    default:
      return false
  }
}

/** Whether something is there at all, or is empty, is no secret: a literal, undefined, `-1`, `typeof`. */
const isNothing = ({ type, name }) => type === 'Literal' || type === 'UnaryExpression' || name === 'undefined'

/** No test can tell: how long a comparison takes would tell a client how much of a key or a signature it has right. */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: { compare: 'compare secrets, and what is derived from them, with timingSafeEqual: this takes the longer the more is right' }
  },
  create (context) {
    const check = (node, sides) => {
      if (sides.some(isSecret) && !sides.some(isKnown) && !sides.some(isNothing)) {
        context.report({ node, messageId: 'compare' })
      }
    }
    return {
      BinaryExpression: node => { if (/^[!=]==?$/.test(node.operator)) check(node, [node.left, node.right]) },
      'CallExpression[callee.type="MemberExpression"]' (node) {
        const { callee: { object, property }, arguments: given } = node
        if (comparing.has(property.name)) check(node, [object, ...given])
      },
      'MemberExpression[computed=true]': node => check(node, [node.property])
    }
  }
}
