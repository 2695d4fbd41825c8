import { compareCodePoints } from '../../benchmarks/python/text.ts'

/** A group of fewer instances, or of fewer patients, tells of single ones, and little of a model. */
export const LEAST = 10

/** Ids of instances, each with its source, such as a patient; of a set each stands for itself. */
type Members = Pick<ReadonlyMap<string, string>, 'entries' | 'keys' | 'size' | 'values'>

/** Groups of an attribute: members by run, none where a run was asked nothing of the group. */
export type GroupMembers = ReadonlyMap<string, readonly Members[]>

interface Told {
  readonly groups: GroupMembers
  readonly kept: Set<string>
}

/**
 * The groups of each attribute that may be shown: none under the least; where some are withheld at least two, with that
 * many instances together, as one would follow from the whole; and none that, with others, tells of fewer: of some groups
 * of one attribute all but a few may be those of another.
 */
export const withholdSmall = (
  attributes: readonly GroupMembers[],
  least = LEAST,
): readonly ReadonlySet<string>[] => {
  const told = attributes.map((groups): Told => ({
    groups,
    kept: new Set([...groups.keys()].filter((group) => sizeOf(groups, group) >= least)),
  }))
  do for (const each of told) complement(each, least)
  while (withheldMore(told, least))
  return told.map(({ kept }) => kept)
}

/** One at a time, first of the attribute with more groups, where one is missed less. */
const withheldMore = (told: readonly Told[], least: number): boolean =>
  told
    .toSorted((a, b) => b.kept.size - a.kept.size)
    .some((inner) => told.some((outer) => outer !== inner && withheldTelling(outer, inner, least)))

/** In the run that has the fewest of those that have any. */
const sizeOf = (groups: GroupMembers, group: string): number =>
  Math.min(...(groups.get(group) ?? []).flatMap((ids) => sourcesIn([ids]) || []))

const sourcesIn = (parts: readonly Members[]): number =>
  new Set(parts.flatMap((ids) => [...ids.values()])).size

const bySize = ({ groups, kept }: Told): readonly string[] =>
  Array.from(kept, (group) => ({ group, size: sizeOf(groups, group) }))
    .sort((a, b) => a.size - b.size || compareCodePoints(a.group, b.group))
    .map(({ group }) => group)

/** Withholds groups until in no run what is withheld follows from the whole. */
const complement = (told: Told, least: number): void => {
  for (const group of bySize(told)) {
    if (!tellsOfHidden(told, least)) return
    told.kept.delete(group)
  }
}

const tellsOfHidden = ({ groups, kept }: Told, least: number): boolean =>
  runsOf(groups).some((run) => {
    const there = [...groups].filter(([, runs]) => (runs[run]?.size ?? 0) > 0)
    const hidden = there.flatMap(([group, runs]) => (kept.has(group) ? [] : (runs[run] ?? [])))
    return (
      hidden.length > 0 && hidden.length < there.length && (hidden.length === 1 || sourcesIn(hidden) < least)
    )
  })

const runsOf = (groups: GroupMembers): readonly number[] => [...([...groups.values()][0]?.keys() ?? [])]

/** Withholds the smallest of groups that together tell of fewer instances than the least; false where none do. */
const withheldTelling = (outer: Told, inner: Told, least: number): boolean => {
  const safe = new Set<string>()
  for (const run of runsOf(outer.groups)) {
    const counts = sharedCounts(partsOf(outer, run), partsOf(inner, run))
    // Most models were asked the same.
    const key = counts.join(';')
    const telling = safe.has(key) ? undefined : tellingParts(counts, least)
    safe.add(key)
    if (telling === undefined) continue
    const own = [outer, inner].flatMap((each, side) => {
      const names = [...each.kept]
      return bySize(each).map((group) => ({
        ...each,
        group,
        // Where only what is left of the whole is among them, any other part of it will do.
        size: sizeOf(each.groups, group) + (telling[side]?.has(names.indexOf(group)) === true ? 0 : FAR),
      }))
    })
    const [smallest] = own.toSorted((a, b) => a.size - b.size)
    // The whole itself may be that small: of it nothing more is told.
    if (smallest === undefined) continue
    smallest.kept.delete(smallest.group)
    return true
  }
  return false
}

const FAR = 1e9

/** What is told of a run, apart: the kept groups, and what is left of the whole. */
const partsOf = ({ groups, kept }: Told, run: number): readonly Members[] => {
  const idsOf = (group: string): Members => groups.get(group)?.[run] ?? new Map()
  const hidden = [...groups.keys()].filter((group) => !kept.has(group))
  return [...[...kept].map(idsOf), new Map(hidden.flatMap((group) => [...idsOf(group).entries()]))]
}

/** Sources of the ids that parts of one attribute share with those of another. */
const sharedCounts = (
  outer: readonly Members[],
  inner: readonly Members[],
): readonly (readonly number[])[] => {
  const places = new Map(inner.flatMap((ids, at) => [...ids.keys()].map((id) => [id, at] as const)))
  return outer.map((ids) => {
    const shared = inner.map(() => new Set<string>())
    for (const [id, source] of ids.entries()) shared[places.get(id) ?? -1]?.add(source)
    return shared.map(({ size }) => size)
  })
}

/**
 * Parts of one attribute, and those of another that lie in them, which leave fewer instances than the least; undefined
 * where there are none. The least that parts with one of the first and without one of the second can leave is a smallest
 * cut between the two (Ford and Fulkerson): what both share may be cut, nothing that leads out of a second one.
 */
const tellingParts = (
  counts: readonly (readonly number[])[],
  least: number,
): readonly [outer: ReadonlySet<number>, inner: ReadonlySet<number>] | undefined => {
  for (const [from, row] of counts.entries())
    for (const [to, shared] of row.entries()) {
      const outer = shared > 0 && shared < least ? smallCut(counts, { from, to }, least) : undefined
      if (outer === undefined) continue
      const isOutside = (part: number): boolean =>
        counts.some((own, at) => !outer.has(at) && (own[part] ?? 0) > 0)
      return [outer, new Set(row.flatMap((_, part) => (part === to || isOutside(part) ? [] : part)))]
    }
  return undefined
}

/** The side of `from`, where less than the least flows to `to`. */
const smallCut = (
  counts: readonly (readonly number[])[],
  { from, to }: { readonly from: number; readonly to: number },
  least: number,
): ReadonlySet<number> | undefined => {
  const room = counts.map((row) => [...row])
  const seen = new Set<number>()
  const flows = (at: number): boolean => {
    seen.add(at)
    const row = room[at] ?? []
    for (const [part, left] of row.entries()) {
      if (left <= 0) continue
      const next =
        part === to
          ? at
          : counts.findIndex((own, other) => (own[part] ?? 0) > 0 && !seen.has(other) && flows(other))
      if (next === -1) continue
      row[part] = left - 1
      const back = room[next]
      if (part !== to && back !== undefined) back[part] = (back[part] ?? 0) + 1
      return true
    }
    return false
  }
  for (let flow = 0; flow < least; flow += 1) {
    seen.clear()
    if (!flows(from)) return seen
  }
  return undefined
}
