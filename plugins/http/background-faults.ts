import fp from 'fastify-plugin'
import { BackgroundFaults } from '../../src/service/background-faults.js'

declare module 'fastify' {
  interface FastifyInstance {
    backgroundFaults: BackgroundFaults
  }
}

export default fp(async function backgroundFaults (app) {
  app.decorate('backgroundFaults', new BackgroundFaults(app.log))
}, { name: 'background-faults' })
