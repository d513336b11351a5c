import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../src/app.js'
import { serve } from '../support/backend.js'
import { attemptOf, json, modelOf, settingOf, token } from '../support/model.js'
import type { Scope } from '../support/server.js'
import { inScope, randomOf } from './part.js'
import type { Part } from './part.js'

/**
 * Sends random requests to the service under random configurations.
 *
 * @param isEnough - gets the number of configurations so far
 * @returns the responses that were not predicted, at most those of the first configuration with ten of them
 */
export async function differencesFromModel (t: Scope, seed: number, isEnough: (configurations: number) => boolean) {
  const random = randomOf(seed)
  const one = <Item>(...items: Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const file = join(t.testdir(), 'policy.json')
  let attempt: ReturnType<typeof attemptOf> | undefined
  const { origin } = await serve(t, (request, response) => {
    request.resume()
    response.writeHead(attempt!.answer[0], { 'content-type': json }).end(attempt!.answer[1])
  })
  const result = { requests: 0, configurations: 0, outcomes: new Set<string>(), differences: [] as string[] }
  while (!isEnough(result.configurations) && result.differences.length < 10) {
    result.configurations++
    const setting = settingOf(one)
    writeFileSync(file, JSON.stringify({ callers: setting.callers }))
    const app = createApp({
      logger: false,
      config: {
        ...{ NODE_ENV: 'test', MERCHANT_TOKEN: token, KEY_FAILURE_MAX: 0, BODY_LIMIT: 3000, VARIANT: setting.variant },
        ...{ STRICT: setting.isStrict, ACCEPT_BODY_TOKEN: setting.acceptsToken },
        ...{ RATE_LIMIT_MAX: setting.rate, RATE_LIMIT_WINDOW: 3_600_000 },
        ...setting.callers !== undefined && { POLICY_FILE: file },
        ...setting.asksBackend && { AUTHORIZE_URL: `${origin}/may-sign` }
      }
    })
    app.after(() => { app.isOverloaded = () => attempt!.isOverloaded })
    const predict = modelOf(setting)
    for (let count = 0; count < 50; count++) {
      const { key, fault, fields } = attempt = attemptOf(setting, one, share => random() < share)
      const type = fault === undefined ? json : fault.type
      const payload = fault === undefined ? JSON.stringify(fields) : fault.body
      const headers = {
        ...type !== undefined && { 'content-type': type },
        ...key !== undefined && { authorization: `Bearer ${key}` }
      }
      const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload, headers })
      const { signature, error } = response.json()
      const { statusCode: status } = response
      const [code, text] = [String(response.headers['error-code'] ?? ''), String(signature ?? error)]
      const predictions = predict({ ...attempt, fields: JSON.parse(JSON.stringify(fields)) })
      const isRight = predictions.some(([predicted, ofCode, pattern]) => predicted === status && ofCode === code &&
        (typeof pattern === 'string' ? text === pattern : pattern.test(text)))
      result.requests++
      result.outcomes.add(`${status} ${code.replace(/;.*/, '')}`)
      if (isRight) continue
      const sent = JSON.stringify({ setting, key, payload: String(payload), seed })
      result.differences.push(`${sent}: ${status} ${code} ${text}, not ${predictions.join(' or ')}`)
    }
    await app.close()
  }
  return result
}

export const model: Part = {
  name: 'model',
  shows: 'The status, the error and its code, or the signature, are those that a model of the documents predicts, for ' +
    'random requests under random configurations.',
  run: inScope('model', async (t, { seed, short, minutes = 10, signal }) => {
    const end = performance.now() + (short ? 6000 : minutes * 60_000)
    const { requests, configurations, outcomes, differences } =
      await differencesFromModel(t, seed, () => performance.now() > end || signal.aborted)
    return {
      passed: differences.length === 0,
      figures: { requests, configurations, outcomes: outcomes.size, differences: differences.length },
      ...differences.length > 0 && { details: differences.map(difference => `- ${difference}`).join('\n') }
    }
  })
}
