import type { SignatureRequest } from '../../src/scheme/request.js'
import type { Variant } from '../../src/scheme/variants.js'

interface Language {
  readonly name: string
  /** Command that runs the file, without `MERCHANT_TOKEN=…`. */
  readonly run: string
  /** Returns the lines that sign a request. They follow the functions of the sample. */
  call (variant: Variant, json: string): string
}

/** Languages by file extension. */
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

/** Returns JSON in which quotes and invisible characters are escaped. */
const literal = (request: SignatureRequest): string => JSON.stringify(request, null, 2)
  .replace(/['`]|[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Returns a program that prints the signature of a request.
 *
 * @param source - the sample in the language. Its lines for the conformance protocol are replaced
 */
export function sampleOf (
  language: keyof typeof languages, source: string, variant: Variant, request: SignatureRequest
): string {
  const [signing] = source.split(/^(?:#|\/\/) The conformance protocol$/m)
  return String(signing) + languages[language].call(variant, literal(request))
}
