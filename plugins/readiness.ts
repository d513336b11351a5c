import fp from 'fastify-plugin'

export default fp(async function readiness (_app) {
}, { name: 'readiness', dependencies: ['env'] })
