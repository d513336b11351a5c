import { deepStrictEqual, equal, match } from 'node:assert/strict'
import { withoutBrowser } from '../support/browser.js'
import { eightAnswers } from '../support/documented.js'
import { checkout, eightRequests, shopPolicy } from '../support/shop.js'
import type { ForeignPart } from './project.js'

/** The steps of docs/safe-tonight.md with Express, from the packed package to the page in Chromium. */
export const express: ForeignPart = {
  packages: ['express', 'fastify'],
  async run (project) {
    for (const files of ['frameworks/express.mjs', 'frameworks/shop.mjs', 'first/*.*']) {
      await project.run('sh', '-c', `cp node_modules/payment-signature-backend/examples/${files} .`)
    }
    project.write('policy.json', shopPolicy)
    const url = (await project.serve('node', 'express.mjs')).replace('localhost', '127.0.0.1')
    deepStrictEqual(await eightRequests(`${url}/payments/api/generate-signature`), { code: 0, output: eightAnswers })
    if (withoutBrowser) return

    const pay = await checkout(project.scope, url)
    const order = { operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' }
    const { signature, amount } = await pay(order)
    match(String(signature), /^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/)
    equal(amount, '100.00')
    const { status, reason, requestId } = await pay({ ...order, amount: '1.00' })
    deepStrictEqual([status, reason], [403, 'NOT_YOUR_ORDER'])
    match(String(requestId), /^[0-9a-f-]{36}$/)
  }
}
