import fp from 'fastify-plugin'

export default fp(async function audit (_app) {
}, { name: 'audit', dependencies: ['env'] })
