import fp from 'fastify-plugin'

export interface AuthorizeOptions {
  authorize?: (() => Promise<void>) | undefined
}

export default fp<AuthorizeOptions>(async function authorize (_app, _options) {
}, { name: 'authorize', dependencies: ['env'] })
