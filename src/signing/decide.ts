import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SigningSettings } from './guard-options.js'
import { messages } from '../http/messages.js'
import { isOver } from '../http/error-response.js'
import { failureOf, RefusedError } from '../http/refused-error.js'
import type { Reading } from '../scheme/request.js'
import type { Signer } from '../scheme/variant.js'
import { CallerLabels } from './caller-labels.js'
import { Asked, askedOf } from './asked.js'
import { guardsOf, type Guard, type Verdict } from './guards.js'
import { bodyReader } from './read.js'
import { recorder, type Refused } from './record.js'
import { reporter } from './report.js'

/** Settings of the signing route. `signerOf` returns the signer of a request that is about to be signed. */
export type DecideSettings = SigningSettings & { signerOf: (asked: Asked) => Signer | Promise<Signer> }

/** Decides about the requests of one signing route. */
export interface Decider {
  /** Judges a request before its body is read, without waiting. */
  arrive (request: FastifyRequest): Verdict
  /** Returns the response to a request whose body was parsed; undefined if nobody can get it. Throws every refusal. */
  decide (request: FastifyRequest, reply: FastifyReply): Promise<{ signature: string } | undefined>
  /** Records a refusal, also one before our hook. */
  refused (request: FastifyRequest, refusal: Refused): boolean | Promise<boolean>
}

/** A custom signer may be asynchronous, and may have no types. */
async function sign (signer: Signer, reading: Reading): Promise<string> {
  let signature: unknown
  try {
    signature = await signer.signReading(reading)
  } catch (thrown) {
    throw failureOf(thrown)
  }
  if (typeof signature !== 'string' || signature === '') throw new TypeError('signReading returned no text')
  return signature
}

/** Returns what decides about the requests of a signing route. The order of all that happens to a request is here. */
export async function deciderOf (app: FastifyInstance, settings: DecideSettings): Promise<Decider> {
  const labels = new CallerLabels()
  const guards = await guardsOf(app, settings, labels)
  const report = await reporter(app, settings, labels)
  const record = await recorder(app, settings, labels)
  const read = bodyReader(settings)

  /** Returns the refusal, unless the guard only reports. */
  function enforce ({ name }: Guard, asked: Asked, verdict: Verdict): Verdict {
    if (verdict === undefined || !report.guards.has(name)) return verdict
    report.add(name, asked, verdict)
    return undefined
  }

  return {
    arrive (request) {
      const asked = askedOf(request)
      for (const guard of guards) {
        const verdict = guard.arrive?.(asked)
        if (verdict instanceof Promise) {
          verdict.catch(() => {}) // nobody awaits it if the body is refused, or never arrives
          asked.pending.push([guard, verdict])
          continue
        }
        const refusal = enforce(guard, asked, verdict)
        if (refusal !== undefined) return refusal
      }
      return undefined
    },

    async decide (request, reply) {
      const asked = askedOf(request)
      if (isOver(reply)) return undefined // a hook of the host may have responded
      for (const [guard, answer] of asked.pending) {
        const refusal = enforce(guard, asked, await answer)
        if (refusal !== undefined) throw refusal
      }
      const reading = read(asked)
      for (const guard of guards) {
        const refusal = enforce(guard, asked, await guard.judge?.(asked, reading))
        if (refusal !== undefined) throw refusal
        if (isOver(reply)) return undefined // the client has hung up: nothing is asked or signed
      }
      const signature = await sign(await settings.signerOf(asked), reading)
      const isReleased = await record(asked)
      if (!isReleased) throw new RefusedError('audit-unavailable', messages.auditUnavailable)
      await endOfTurn()
      return { signature }
    },

    refused: (request, refusal) => record(askedOf(request), refusal)
  }
}

let turn: Promise<void> | undefined

/**
 * Resolves at the end of the turn of the event loop, for all responses of the turn, which are then written together.
 * Separate writes would wake up a sleeping client or proxy each time: an interrupt to another core, which on virtual
 * machines costs more than the response. A single request does not wait for others.
 */
export const endOfTurn = (): Promise<void> => (turn ??= new Promise(resolve => setImmediate(() => {
  turn = undefined
  resolve()
})))
