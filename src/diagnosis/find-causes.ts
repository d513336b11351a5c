import { changesIn } from './changes.js'
import type { Computation } from './computation.js'
import type { Cause, Diagnosis, PartFinding } from './diagnosis.js'
import type { Assignment } from './parse-signature.js'
import { namesIn } from './scenarios.js'
import type { Part, Scenario } from './scenarios.js'
import type { Match, Search, Start } from './search.js'
import { settledBy, startsOf } from './starts.js'

/** What the search has found: causes, and how each part stands. */
export type Found = Pick<Diagnosis, 'part1' | 'part2' | 'causes'>

/** A cause, what it costs, and which piece is the first that it changes. */
interface Way extends Cause {
  readonly cost: number
  readonly place: number
}

const placeIn = (...matches: readonly Match[]): number =>
  Math.min(...matches.map(({ chosen }) => chosen.findIndex(({ changes }) => changes > 0)).filter(place => place >= 0))

interface Task {
  readonly search: Search
  readonly scenarios: readonly Scenario[]
  readonly computations: readonly Computation[]
  readonly assignments: readonly Assignment[]
  /** Whether part 2 can be searched. */
  readonly hasToken: boolean
}

/** How many causes are named at most, and how much less likely than the first they may be. */
const maxCauses = 5
const maxDistance = 1

/** The likeliest ways, each once; none if there is nothing to explain. */
function causesOf (ways: readonly Way[]): Cause[] {
  // Of two that are as likely the one that changes an earlier term comes first: more gets lost or added at an end than
  // at a start.
  const sorted = ways.toSorted((one, other) =>
    one.cost - other.cost || one.changes.length - other.changes.length || one.place - other.place)
  const best = sorted[0]?.cost ?? 0
  const near = sorted.filter(({ cost }) => cost <= best + maxDistance)
  const byFindings = new Map(near.toReversed().map(({ changes }) => [changes.map(({ finding }) => finding).join(' '), changes]))
  const causes = [...byFindings.values()].reverse().slice(0, maxCauses).map(changes => ({ changes }))
  return causes[0]?.changes.length === 0 ? [] : causes
}

/** Everything that leads to the texts that were found. */
const explained = (search: Search, starts: readonly Start[], matches: readonly Match[]): Match[] =>
  [...new Map(matches.map(match => [match.text, match])).values()].flatMap(match => search.explain(starts, match))

/** Whether a part is right as it is, whatever was changed in the other one. */
function findingOf (
  part: Part, matches: readonly Match[], { scenarios: [own], computations: [plain], assignments }: Task
): PartFinding {
  const { context } = own!
  const right = plain!.digest(namesIn(part, context, true).map(name => context.terms[name]).join(''))
  const isRight = plain!.changes.length === 0 && assignments[0]![part] === right
  return matches.length === 0 ? 'unexplained' : isRight ? 'matches' : 'explained'
}

/** The assignments by one part's digest. Of two of one digest the plain one counts. */
const byDigest = (assignments: readonly Assignment[], part: Part): Map<string, Assignment> =>
  new Map(assignments.toReversed().flatMap(assignment => {
    const digest = assignment[part]
    return digest === undefined ? [] : [[digest, assignment]]
  }))

/** Part 2, after each way to get part 1. */
function startsAfter (firsts: readonly Match[], computations: readonly Computation[]): Map<Start, Match> {
  const starts = new Map<Start, Match>()
  const known = new Set<string>()
  for (const first of firsts) {
    const { start: { scenario, computation, layout, pieces }, cost } = first
    const settled = settledBy(first)
    const own = { ...computation, cost: 0, changes: [] }
    const texts = [...settled.values()].map(({ text }) => text)
    const { variant, terms } = scenario.context
    const { before, between } = computation
    const key = JSON.stringify([texts, variant, terms, before, between, layout.pieces, pieces[0]!.is])
    if (known.has(key) && computation.cost === 0) continue
    const given = { part: 'part2', scenarios: [{ ...scenario, cost: 0, changes: [] }], paid: cost } as const
    const others = computation.cost === 0 ? computations.slice(1) : []
    for (const start of startsOf({ ...given, computations: [own, ...others], settled, first, limit: 14 })) {
      starts.set(start, first)
    }
    if (known.size === 0) { // the parts may not agree
      for (const start of startsOf({ ...given, computations: [own], limit: 8, paid: cost + 3 })) {
        starts.set(start, first)
      }
    }
    known.add(key)
  }
  return starts
}

/** Part 2 by itself, when nothing fits part 1; then part 1 with what part 2 has settled. */
function findPart2 (task: Task): Found {
  const { search, scenarios, computations, assignments } = task
  const assignmentOf = byDigest(assignments, 'part2')
  const starts = startsOf({ part: 'part2', scenarios, computations, limit: 8 })
  const seconds = explained(search, starts, search.run(starts, new Set(assignmentOf.keys())))
  let part1: PartFinding = 'unexplained'
  const ways = seconds.map((second): Way => {
    const { part1: digest, changes } = assignmentOf.get(second.digest)!
    const way = { cost: second.cost, place: placeIn(second), changes: [...changes, ...changesIn('part2', second)] }
    if (digest === undefined) {
      part1 = 'explained' // there is none
      return way
    }
    const { scenario, computation, cost } = second.start
    const starts = startsOf({
      part: 'part1',
      scenarios: [{ ...scenario, cost: 0, changes: [] }],
      computations: [{ ...computation, cost: 0, changes: [] }],
      settled: settledBy(second),
      limit: 14,
      paid: cost
    })
    const [first] = explained(search, starts, search.run(starts, new Set([digest])))
    if (first === undefined) return way
    part1 = 'explained'
    return { ...way, cost: first.cost + second.cost - cost, changes: [...way.changes, ...changesIn('part1', first)] }
  })
  return { part1, part2: findingOf('part2', seconds, task), causes: causesOf(ways) }
}

/** Part 1 first: it holds no secret, and settles what both parts have. */
export function findCauses (task: Task): Found {
  const { search, scenarios, computations, assignments, hasToken } = task
  const assignmentOf = byDigest(assignments, 'part1')
  const starts = startsOf({ part: 'part1', scenarios, computations, limit: 14 })
  const firsts = explained(search, starts, search.run(starts, new Set(assignmentOf.keys())))
  if (firsts.length === 0 && hasToken) return findPart2(task)

  const wayOf = (first: Match): Way =>
    ({ cost: first.cost, place: placeIn(first), changes: [...assignmentOf.get(first.digest)!.changes, ...changesIn('part1', first)] })
  const part1 = findingOf('part1', firsts, task)
  const causesOfPart1 = causesOf(firsts.map(wayOf))
  const digests = new Set(firsts.flatMap(({ digest }) => assignmentOf.get(digest)!.part2 ?? []))
  if (!hasToken) return { part1, part2: 'unsearched', causes: causesOfPart1 }
  if (digests.size === 0) return { part1, part2: 'explained', causes: causesOfPart1 }

  const after = startsAfter(firsts, computations)
  const seconds = explained(search, [...after.keys()], search.run([...after.keys()], digests))
  if (seconds.length === 0) return { part1, part2: 'unexplained', causes: causesOfPart1 }
  const ways = seconds.map((second): Way => {
    const first = after.get(second.start)!
    const way = wayOf(first)
    return { cost: second.cost, place: Math.min(way.place, placeIn(second)), changes: [...way.changes, ...changesIn('part2', second, true)] }
  })
  return { part1, part2: findingOf('part2', seconds, task), causes: causesOf(ways) }
}
