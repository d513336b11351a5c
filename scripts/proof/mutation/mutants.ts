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

/** Returns the changes of a node: pairs of the changed node and the replacements of its text. */
function changesOf (node: ts.Node, source: ts.SourceFile): Array<[ts.Node, string[]]> {
  const all: Array<[ts.Node, string[]]> = []
  if (ts.isBinaryExpression(node)) {
    all.push([node.operatorToken, binaryOperators[node.operatorToken.kind] ?? []])
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === SyntaxKind.ExclamationToken) all.push([node, [node.operand.getText(source)]])
  } else if (ts.isPostfixUnaryExpression(node)) {
    const operand = node.operand.getText(source)
    all.push([node, [node.operator === SyntaxKind.PlusPlusToken ? `${operand}--` : `${operand}++`]])
  } else if (ts.isConditionalExpression(node)) {
    all.push([node.condition, ['true', 'false']])
  } else if (ts.isIfStatement(node)) {
    all.push([node.expression, ['true', 'false']])
  } else if (ts.isWhileStatement(node)) {
    all.push([node.expression, ['false']])
  } else if (ts.isBlock(node)) {
    if (node.statements.length > 0) all.push([node, ['{ }']])
  } else if (ts.isArrowFunction(node)) {
    if (!ts.isBlock(node.body)) all.push([node.body, ['undefined']])
  } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    all.push([node, [node.text === '' ? '"mutated"' : '""']])
  } else if (ts.isTemplateExpression(node)) {
    all.push([node, ['``']])
  } else if (ts.isRegularExpressionLiteral(node)) {
    all.push([node, regexReplacements(node.text)])
  } else if (node.kind === SyntaxKind.TrueKeyword) {
    all.push([node, ['false']])
  } else if (node.kind === SyntaxKind.FalseKeyword) {
    all.push([node, ['true']])
  } else if (ts.isArrayLiteralExpression(node)) {
    if (node.elements.length > 0) all.push([node, ['[]']])
  } else if (ts.isObjectLiteralExpression(node)) {
    if (node.properties.length > 0) all.push([node, ['({})']])
  } else if (ts.isPropertyAccessExpression(node)) {
    if (node.questionDotToken !== undefined) all.push([node.questionDotToken, ['.']])
    const method = methods.get(node.name.text)
    if (method !== undefined && ts.isCallExpression(node.parent) && node.parent.expression === node) {
      all.push(method === '' ? [node.parent, [node.expression.getText(source)]] : [node.name, [method]])
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
  const all: Mutant[] = []
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return
    for (const [changed, replacements] of changesOf(node, source)) {
      const [start, end] = [changed.getStart(source), changed.getEnd()]
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
