/** A mutant that no test can kill, because the program behaves the same. */
interface Equivalent {
  /** Compiled file. */
  file: string
  /** The compiled line, trimmed. */
  line: string
  original: string
  replacement: string
  reason: string
}

const dataFlag = '/^--(?:data|data-raw|data-binary|data-ascii|json)(?:=(?<long>[^]*))?$|^-[sSkvifgLN46]*d(?<short>[^]*)'

export const equivalents: Equivalent[] = [
  {
    file: 'src/command-line/arguments.js',
    // eslint-disable-next-line no-template-curly-in-string
    line: "throw new CommandError(`--${name} must be an integer ${max < 100 ? `from 1 to ${max}` : 'greater than 0'}`);",
    original: '<',
    replacement: '<=',
    reason: 'no option has the limit 100'
  },
  {
    file: 'src/scheme/text.js',
    line: "if (typeof value === 'string')",
    original: "'string'",
    replacement: '""',
    reason: 'a faster path: `String` returns the same text'
  },
  {
    file: 'src/scheme/variant.js',
    line: "export const noToken = Symbol('no token');",
    original: "'no token'",
    replacement: '""',
    reason: 'the description of a symbol is for debuggers'
  },
  {
    file: 'src/scheme/variant.js',
    line: "const tokenOf = Symbol('merchantToken');",
    original: "'merchantToken'",
    replacement: '""',
    reason: 'the description of a symbol is for debuggers'
  },
  {
    file: 'src/scheme/verify.js',
    line: "const [first = '', second = '', ...rest] = signature.split('///');",
    original: "''",
    replacement: '"mutated"',
    reason: 'neither text is as long as a digest'
  },
  {
    file: 'tools/diagnosis/alternatives.js',
    line: 'const isUnit = ({ name }) => /-(?:minor-units|time-zone|other-request)$/.test(name);',
    original: '/-(?:minor-units|time-zone|other-request)$/',
    replacement: '/-(?:minor-units|time-zone|other-request)/',
    reason: 'no name continues after these words'
  },
  {
    file: 'tools/diagnosis/transforms/encoding.js',
    line: "return [digits, mixed, mixed.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')];",
    original: '/^(.{8})(.{4})(.{4})(.{4})/',
    replacement: '/(.{8})(.{4})(.{4})(.{4})/',
    reason: 'the first match begins at the start of hexadecimal digits'
  },
  {
    file: 'tools/request-text/curl.js',
    line: `const dataFlag = ${dataFlag}$/;`,
    original: `${dataFlag}$/`,
    replacement: `${dataFlag}/`,
    reason: '`[^]*` matches to the end'
  },
  {
    file: 'tools/request-text/request-text.js',
    line: 'catch {',
    original: '{\n        return undefined;\n    }',
    replacement: '{ }',
    reason: 'a function without a `return` returns undefined'
  },
  {
    file: 'tools/request-text/shell-words.js',
    line: 'if (word !== undefined)',
    original: 'word !== undefined',
    replacement: 'true',
    reason: 'the end of a trimmed text belongs to a word; the check is for the compiler'
  },
  {
    file: 'tools/conformance/report.js',
    line: "[/^4\\.3 operationType/, 'the operation is compared without regard to case, but not trimmed; an unknown one is a purchase'],",
    original: '/^4\\.3 operationType/',
    replacement: '/4\\.3 operationType/',
    reason: 'no rule contains this number in its middle'
  },
  {
    file: 'tools/conformance/report.js',
    line: "[/^4\\.3 purchase/, 'without an order id part 2 has the text null'],",
    original: '/^4\\.3 purchase/',
    replacement: '/4\\.3 purchase/',
    reason: 'no rule contains this number in its middle'
  },
  {
    file: 'tools/diagnosis/snippets.js',
    line: '[/^(?:signature-separator|parts-swapped|one-part|one-hash)$/, {',
    original: '/^(?:signature-separator|parts-swapped|one-part|one-hash)$/',
    replacement: '/^(?:signature-separator|parts-swapped|one-part|one-hash)/',
    reason: 'no name continues after these words'
  }
]
