import fp from 'fastify-plugin'

export default fp(async function acceptBodyToken (_app) {
}, { name: 'accept-body-token', dependencies: ['env'] })
