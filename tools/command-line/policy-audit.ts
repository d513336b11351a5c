import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Policy } from '../../src/guards/policy-schema.js'
import { policyRefusalOf } from '../../src/guards/policy.js'
import { readerOf } from '../../src/scheme/variants.js'
import { isJson } from '../../src/text/json.js'
import { reasonOf } from '../../src/text/read-file.js'
import { CommandError } from './command.js'

/** The members of an audit line that are read. The fields of the request are beside them. */
type AuditRecord = Readonly<Record<string, unknown>> &
  Readonly<Record<'caller' | 'operation' | 'variant' | 'outcome', string>>

/** Returns the rule that refuses a recorded request; undefined if the policy allows the request. */
function ruleAgainst (audit: AuditRecord, { callers }: Policy): string | undefined {
  const caller = callers.find(({ name }) => name === audit.caller)
  if (caller === undefined) return 'callers'
  const operationType = audit.operation === 'clear-cache' ? 'clearCache' : audit.operation
  try {
    // The audit has no sid, which no rule compares.
    const request = { ...audit, operationType, sid: randomUUID(), clientTimeStamp: audit.clientTimeStamp }
    return policyRefusalOf(caller, readerOf(audit.variant === 'B' ? 'B' : 'A').read(request, true))?.rule
  } catch {
    return 'incomplete' // such as an account number that is an empty list, which is signed as an empty text
  }
}

/** Counts the signed requests of an audit file, and those that a policy would refuse, by caller and rule. */
export async function judgeAudit (path: string, policy: Policy) {
  const fail = (error: unknown): never => {
    throw new CommandError(`${path} cannot be read (${reasonOf(error)})`)
  }
  const file = await open(path).catch(fail)
  let [signed, unreadable] = [0, 0]
  const refused = new Map<string, { caller: string, rule: string, count: number }>()
  try {
    for await (const line of file.readLines()) {
      if (line !== '' && !isJson(line)) unreadable++
      const audit: AuditRecord | undefined = isJson(line) ? Object(JSON.parse(line)).audit : undefined
      if (audit?.outcome !== 'signed') continue
      signed++
      const rule = ruleAgainst(audit, policy)
      if (rule === undefined) continue
      const key = `${audit.caller} ${rule}`
      refused.set(key, { caller: audit.caller, rule, count: (refused.get(key)?.count ?? 0) + 1 })
    }
  } catch (error) {
    fail(error)
  }
  if (signed === 0) throw new CommandError(`${path} has no audit line of a signed request`)
  return { signed, unreadable, refused: [...refused.values()].sort((one, other) => other.count - one.count) }
}
