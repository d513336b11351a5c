import ts from 'typescript'

/** A change of a compiled file: the text from `start` to `end` becomes `replacement`. */
export interface Mutant {
  /** Path in the folder of the compiled files. */
  file: string
  start: number
  end: number
  /** From 1. */
  line: number
  original: string
  replacement: string
}

const { SyntaxKind } = ts

/** Replacements of binary operators. */
const binaryOperators: Partial<Record<ts.SyntaxKind, string[]>> = {
  [SyntaxKind.PlusToken]: ['-'],
  [SyntaxKind.MinusToken]: ['+'],
  [SyntaxKind.AsteriskToken]: ['/'],
  [SyntaxKind.SlashToken]: ['*'],
  [SyntaxKind.PercentToken]: ['*'],
  [SyntaxKind.LessThanToken]: ['<=', '>='],
  [SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [SyntaxKind.BarBarToken]: ['&&'],
  [SyntaxKind.QuestionQuestionToken]: ['&&'],
  [SyntaxKind.PlusEqualsToken]: ['-='],
  [SyntaxKind.MinusEqualsToken]: ['+=']
}

/** Operators of which one operand can be left out. */
const joining = new Set([
  SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken, SyntaxKind.QuestionQuestionToken, SyntaxKind.PlusToken,
  SyntaxKind.MinusToken
])

/** Replacements of methods. An empty name removes the call. */
const methods = new Map(Object.entries({
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  trim: '',
  slice: '',
  filter: '',
  sort: '',
  reverse: ''
}))

/** Returns the replacements of a regular expression: without an anchor, and with a class inverted. */
function regexReplacements (text: string): string[] {
  const all = []
  if (text.startsWith('/^')) all.push(`/${text.slice(2)}`)
  if (/[^\\]\$\/[a-z]*$/.test(text)) all.push(text.replace(/\$(\/[a-z]*)$/, '$1'))
  if (/\[(?!\^)/.test(text)) all.push(text.replace(/\[(?!\^)/, '[^'))
  if (text.includes('\\d')) all.push(text.replace('\\d', '\\D'))
  return all.filter(replacement => !replacement.startsWith('//'))
}

/**
 * Returns the code that follows a code in a file's list of codes, in a circle. A code is a text such as ERR_OPTIONS or
 * rate-limited, by which programs tell errors apart. Returns undefined for other texts, and for a file's only code.
 */
function codeAfter (text: string, codes: readonly string[]): string | undefined {
  const index = codes.indexOf(text)
  return index === -1 || codes.length === 1 ? undefined : codes[(index + 1) % codes.length]
}

/** A part of the text, and what can stand there instead. */
interface Change {
  start: number
  end: number
  replacements: readonly string[]
}

/** Returns the changes of a node. */
function changesOf (node: ts.Node, source: ts.SourceFile, codes: readonly string[]): Change[] {
  const all: Change[] = []
  const textOf = (one: ts.Node): string => one.getText(source)
  const change = (one: ts.Node, ...replacements: readonly string[]) =>
    all.push({ start: one.getStart(source), end: one.getEnd(), replacements })

  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken: operator, right } = node
    change(operator, ...binaryOperators[operator.kind] ?? [])
    if (joining.has(operator.kind)) change(node, textOf(left), textOf(right))
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === SyntaxKind.ExclamationToken) change(node, textOf(node.operand))
  } else if (ts.isPostfixUnaryExpression(node)) {
    change(node, `${textOf(node.operand)}${node.operator === SyntaxKind.PlusPlusToken ? '--' : '++'}`)
  } else if (ts.isConditionalExpression(node)) {
    change(node.condition, 'true', 'false')
  } else if (ts.isIfStatement(node)) {
    change(node.expression, 'true', 'false')
  } else if (ts.isWhileStatement(node)) {
    change(node.expression, 'false')
  } else if (ts.isBlock(node)) {
    if (node.statements.length > 0) change(node, '{ }')
  } else if (ts.isExpressionStatement(node)) {
    if (!textOf(node).startsWith('super(')) change(node, ';')
  } else if (ts.isThrowStatement(node) || ts.isBreakOrContinueStatement(node)) {
    change(node, ';')
  } else if (ts.isAwaitExpression(node)) {
    change(node, textOf(node.expression))
  } else if (ts.isArrowFunction(node)) {
    if (!ts.isBlock(node.body)) change(node.body, 'undefined')
  } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    const other = codeAfter(node.text, codes) ?? (node.text === '' ? 'mutated' : '')
    change(node, ts.isStringLiteral(node) ? `'${other}'` : `\`${other}\``)
  } else if (ts.isNumericLiteral(node)) {
    const number = Number(node.text)
    change(node, ...number === 0 ? ['1'] : [String(number + 1), String(number - 1)])
  } else if (ts.isTemplateExpression(node)) {
    change(node, '``')
  } else if (ts.isRegularExpressionLiteral(node)) {
    change(node, ...regexReplacements(node.text))
  } else if (node.kind === SyntaxKind.TrueKeyword) {
    change(node, 'false')
  } else if (node.kind === SyntaxKind.FalseKeyword) {
    change(node, 'true')
  } else if (ts.isArrayLiteralExpression(node)) {
    if (node.elements.length > 0) change(node, '[]')
  } else if (ts.isObjectLiteralExpression(node)) {
    if (node.properties.length > 0) change(node, '({})')
  } else if (ts.isPropertyAccessExpression(node)) {
    if (node.questionDotToken !== undefined) change(node.questionDotToken, '.')
    const other = codeAfter(node.name.text, codes)
    if (other !== undefined) change(node.name, other)
    const method = methods.get(node.name.text)
    if (method !== undefined && ts.isCallExpression(node.parent) && node.parent.expression === node) {
      if (method === '') change(node.parent, textOf(node.expression))
      else change(node.name, method)
    }
  } else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const [first, second] = node.arguments ?? []
    if (first !== undefined && second !== undefined && textOf(first) !== textOf(second)) {
      const between = source.text.slice(first.getEnd(), second.getStart(source))
      const replacement = textOf(second) + between + textOf(first)
      all.push({ start: first.getStart(source), end: second.getEnd(), replacements: [replacement] })
    }
  }
  return all
}

/** True for what has no mutants: imports, exports, names of properties, and targets of assignments. */
function isSkipped (node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  const { parent } = node
  return (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === SyntaxKind.EqualsToken) ||
    (ts.isCallExpression(parent) && parent.expression.kind === SyntaxKind.ImportKeyword)
}

/** Returns all mutants of a compiled file, in the order of the text. */
export function mutantsOf (file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const codes = [...new Set(text.match(/\bERR_[A-Z_]+|(?<=['"`])[a-z]+(?:-[a-z]+)+(?=['"`])/g))]
  const all: Mutant[] = []
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return
    for (const { start, end, replacements } of changesOf(node, source, codes)) {
      const line = source.getLineAndCharacterOfPosition(start).line + 1
      for (const replacement of replacements) {
        all.push({ file, start, end, line, original: text.slice(start, end), replacement })
      }
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return all
}
