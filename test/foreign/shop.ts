import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { answersOf, asDocumented, asWithoutOwner, besideShop, eightOf, routesWithoutOwner } from '../support/may-sign.js'
import { without } from '../support/proxies.js'
import { root } from '../support/server.js'
import type { ForeignPart } from './project.js'

/** A shop on a version of Express, with the route of the packed package. */
const shopOn = (version: string): ForeignPart => ({
  packages: [`express@${version}`, 'express-session'],
  skip: without('nginx'),
  async run (project) {
    await project.run('cp', 'node_modules/payment-signature-backend/examples/may-sign/express.mjs', 'may-sign.mjs')
    await project.run('cp', join(root, 'test/support/shops/shop.mjs'), '.')
    const { port } = new URL(await project.serve(['node', 'shop.mjs']))
    deepStrictEqual(await answersOf(project.scope, Number(port)), asDocumented)
    await project.run('cp', join(routesWithoutOwner(project.scope), 'express.mjs'), 'may-sign.mjs')
    const open = await besideShop(project.scope, Number(new URL(await project.serve(['node', 'shop.mjs'])).port))
    deepStrictEqual(await eightOf(open.port), asWithoutOwner)
  }
})

export const shops = { 'express-4': shopOn('4'), 'express-5': shopOn('5') }
