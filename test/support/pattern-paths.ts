/** Texts that a router, a pattern, a template or a file system reads as syntax. */
export const syntax: readonly string[] = [
  ':', '*', '(', ')', '[', ']', '{', '}', '?', '#', '%', ';', '+', '^', '$', '|', '\\', '.', '..', '//', '::', '**', '()', '[]',
  ':a', ':a(', ':a)', ':a([)', ':a(*)', ':a(.*', ':a(\\', ':a(\\d+)', ':a?', '*a', '(?', '(?:', '[a-', '[^', '{1,', '$' + '{a}', '{{a}}', '<%',
  '%00', '%0', '%25', '%2f', '%3a(', '%c0', '\0', '\x01', ' ', '\t', '\x7f', '\xe9', '__proto__', 'constructor',
  ':'.repeat(300), '('.repeat(300), '%28'.repeat(300), 'x'.repeat(300), 'x'.repeat(8000)
]

/**
 * Paths with the syntax alone, between letters, and behind and in the path of the signing route, each with and without
 * a final slash.
 */
export const patternPaths: readonly string[] = syntax
  .flatMap(text => [`/${text}`, `/a${text}b`, `/api/generate-signature${text}`, `/api/${text}/generate-signature`])
  .flatMap(path => [path, `${path}/`])
