const opening = /^\*[\s*]*(What|How|Whether|Where|When|Which|Who|Whose|Of|That|One|As|So|There|Its?|They|Their|This|These|Those)\b/

/** Docstrings open with a noun phrase or a verb in the third person, as in the reference documentation of Node.js. */
export default {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { opening: 'a docstring opens with a noun or a verb, such as "Path of …", "Returns …", "True if …"; not with {{word}}' }
  },
  create (context) {
    return {
      Program () {
        for (const { type, value, loc } of context.sourceCode.getAllComments()) {
          const [, word] = (type === 'Block' && opening.exec(value)) || []
          if (word !== undefined) context.report({ loc, messageId: 'opening', data: { word } })
        }
      }
    }
  }
}
