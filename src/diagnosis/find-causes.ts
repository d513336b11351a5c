import type { Alternative } from './alternatives.js'
import { anotherSid, inPart2Only, matchChanges } from './changes.js'
import type { Cause, Change, Diagnosis } from './diagnosis.js'
import type { Scenario } from './enumerate.js'
import type { TermName } from './hypothesis.js'
import type { Assignment } from './parse-signature.js'
import type { Match, Search } from './search.js'

/** What the search has found: causes, and how each part stands. */
export type Found = Pick<Diagnosis, 'part1' | 'part2' | 'causes'>

/** How many causes are named at most. */
const maxCauses = 5

/** What both parts have. */
const shared: readonly TermName[] = ['clientTimeStamp', 'amount', 'referenceNumber']

/** What one part has settled for the other. */
const settledBy = ({ chosen }: Match): Map<TermName, Alternative> =>
  new Map([...chosen].filter(([name]) => shared.includes(name)))

/** The causes with the fewest changes. More of them can only be other ways to write the same text. */
function smallest (causes: readonly Cause[]): Cause[] {
  const fewest = Math.min(...causes.map(({ changes }) => changes.length))
  return causes.filter(({ changes }) => changes.length === fewest).slice(0, maxCauses)
}

/** The causes that go with one way of getting part 1, with at most so many changes in part 2. */
function * causesOf (
  search: Search, scenarios: readonly Scenario[], first: Match, assignment: Assignment, maxChanges: number
): Generator<Cause> {
  const changes = [...assignment.changes, ...first.scenario.changes, ...matchChanges('part1', first)]
  if (assignment.part2 === undefined) return yield { changes }

  const digests = new Set([assignment.part2])
  const settled = settledBy(first)
  const seconds = search.run({ part: 'part2', scenarios: [first.scenario], digests, settled, maxChanges })
  for (const second of seconds) yield { changes: [...changes, ...matchChanges('part2', second, settled)] }
  if (seconds.length > 0) return

  const otherwise = scenarios.filter(({ context, computation }) =>
    context === first.scenario.context && computation !== first.scenario.computation)
  if (otherwise.length > 0 && maxChanges > 0) {
    const ways = search.run({ part: 'part2', scenarios: otherwise, digests, settled, maxChanges: Math.min(maxChanges - 1, 1) })
    for (const { scenario } of ways) {
      const computed = scenario.changes.slice(first.scenario.changes.length).map(inPart2Only)
      yield { changes: [...changes, ...computed] }
    }
    if (ways.length > 0) return
  }

  // The parts do not agree.
  for (const second of search.run({ part: 'part2', scenarios: [first.scenario], digests, maxChanges: Math.min(maxChanges, 2) })) {
    yield { changes: [...changes, ...matchChanges('part2', second).map(inPart2Only)] }
  }
}

/** What is left for part 1 once part 2 has settled the rest. */
function sidChanges (search: Search, match: Match, part1: string | undefined): Change[] {
  if (part1 === undefined) return []
  const settled = settledBy(match)
  const [first] = search.run({ part: 'part1', scenarios: [match.scenario], digests: new Set([part1]), settled })
  return first === undefined ? [anotherSid] : matchChanges('part1', first, settled)
}

/** Part 2 by itself, when nothing fits part 1. */
function searchPart2 (search: Search, scenarios: readonly Scenario[], assignments: readonly Assignment[]): Found {
  const assignmentOf = new Map(assignments.flatMap(assignment =>
    assignment.part2 === undefined ? [] : [[assignment.part2, assignment]]))
  const matches = search.run({ part: 'part2', scenarios, digests: new Set(assignmentOf.keys()), maxChanges: 2 })
  const causes = matches.map((match): Cause => {
    const { part1, changes } = assignmentOf.get(match.digest)!
    return {
      changes: [...changes, ...match.scenario.changes, ...matchChanges('part2', match), ...sidChanges(search, match, part1)]
    }
  })
  const isRight = matches.some(({ changes }) => changes === 0)
  return {
    part1: 'unexplained',
    part2: isRight ? 'matches' : matches.length > 0 ? 'explained' : 'unexplained',
    causes: smallest(causes)
  }
}

/** Part 1 first: it holds no secret, and settles what both parts have. */
export function findCauses (search: Search, scenarios: readonly Scenario[], assignments: readonly Assignment[]): Found {
  // Of two assignments of one digest the plain one counts.
  const assignmentOf = new Map(assignments.toReversed().flatMap(assignment =>
    assignment.part1 === undefined ? [] : [[assignment.part1, assignment]]))
  const matches = search.run({ part: 'part1', scenarios, digests: new Set(assignmentOf.keys()) })
  if (matches.length === 0) return searchPart2(search, scenarios, assignments)

  const found: Cause[] = []
  let fewest = Number.POSITIVE_INFINITY
  for (const match of matches.sort((one, other) => one.changes - other.changes)) {
    found.push(...causesOf(search, scenarios, match, assignmentOf.get(match.digest)!, fewest - match.changes))
    fewest = Math.min(...found.map(({ changes }) => changes.length))
  }
  const causes = smallest(found)
  const isPart1Right = matches.some(({ changes, digest }) => changes === 0 && digest === assignments[0]?.part1)
  const isAllRight = causes[0]?.changes.length === 0
  return {
    part1: isPart1Right ? 'matches' : 'explained',
    part2: isAllRight ? 'matches' : causes.length > 0 ? 'explained' : 'unexplained',
    causes: isAllRight ? [] : causes
  }
}
