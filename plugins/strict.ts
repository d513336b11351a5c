import fp from 'fastify-plugin'

export default fp(async function strict (_app) {
}, { name: 'strict', dependencies: ['env'] })
