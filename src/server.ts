process.on('SIGHUP', () => {}) // before the slow imports: a closed terminal or a reload must not end the service

try {
  await import('./service.js')
} catch (error) {
  if (!(error instanceof SyntaxError)) throw error // one is a name that an older Fastify does not export
  process.stderr.write('payment-signature-backend: the service needs Fastify 5.10 or newer, and the project that it is ' +
    'installed in has an older one: install it in a folder of its own\n')
  process.exit(1)
}
