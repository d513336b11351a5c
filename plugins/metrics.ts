import fp from 'fastify-plugin'

export default fp(async function metrics (_app) {
}, { name: 'metrics', dependencies: ['env'] })
