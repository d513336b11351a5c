import fp from 'fastify-plugin'

export default fp(async function rateLimit (_app) {
}, { name: 'rate-limit', dependencies: ['env'] })
