import fp from 'fastify-plugin'

export default fp(async function exposureWarnings (_app) {
}, { name: 'exposure-warnings', dependencies: ['env'] })
