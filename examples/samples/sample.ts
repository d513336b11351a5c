import type { SignatureRequest } from '../../src/scheme/fields.js'
import type { Variant } from '../../src/scheme/variants.js'

interface Language {
  readonly name: string
  /** What runs the file, which `MERCHANT_TOKEN=…` goes before. */
  readonly run: string
  /** The lines that sign a request, after the sample's own. */
  call (variant: Variant, json: string): string
}

/** By the end of the sample's name. */
export const languages = {
  php: {
    name: 'PHP',
    run: 'php sign.php',
    call: (variant, json) => `$request = json_decode(<<<'JSON'
${json}
JSON, true, 512, JSON_THROW_ON_ERROR);
echo sign('${variant}', getenv('MERCHANT_TOKEN'), $request), "\\n";
`
  },
  py: {
    name: 'Python',
    run: 'python3 sign.py',
    call: (variant, json) => `request = json.loads(r'''${json}''')
print(sign("${variant}", os.environ["MERCHANT_TOKEN"], request))
`
  },
  go: {
    name: 'Go',
    run: 'go run sign.go',
    call: (variant, json) => `func main() {
\trequest := read(strings.NewReader(\`${json}\`))
\tsignature, err := sign("${variant}", os.Getenv("MERCHANT_TOKEN"), request)
\tif err != nil {
\t\tpanic(err)
\t}
\tfmt.Println(signature)
}
`
  }
} as const satisfies Record<string, Language>

/** Whatever would end a literal, or would not be seen, as an escape of JSON. */
const literal = (request: SignatureRequest): string => JSON.stringify(request, null, 2)
  .replace(/['`]|[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * A program that prints the signature of a request.
 *
 * @param source - the sample in the language, whose last lines, which speak the conformance protocol, are replaced
 */
export function sampleOf (
  language: keyof typeof languages, source: string, variant: Variant, request: SignatureRequest
): string {
  const [signing] = source.split(/^(?:#|\/\/) The conformance protocol$/m)
  return String(signing) + languages[language].call(variant, literal(request))
}
