import { groupsOf, type Allotment } from './allotment.ts'
import type { StudyUnit } from '../study.ts'

/** Exchanges looked at in all: a large study is left as even as these make it. */
const TRIES = 400_000

interface Sorted {
  readonly unit: StudyUnit
  readonly groups: readonly string[]
}

/**
 * Moves and exchanges units between allotments until each has as many of every group as the others (± 1), as far as that gives
 * raters in all no more answers of an instance that they have already. Each step makes the numbers more even, so there is an end.
 *
 * @param units in an order that chance set
 */
export const balance = (allotments: readonly Allotment[], units: readonly StudyUnit[]): void => {
  const all = units.map((unit) => ({ unit, groups: groupsOf(unit) }))
  const left = { tries: TRIES }
  for (;;) {
    const uneven = unevenGroups(allotments, all)
    const open = all.filter(({ groups }) => groups.some((group) => uneven.has(group)))
    // All of them are tried in each round, whatever came of those before.
    if (open.filter((each) => settle(each, allotments, open, left)).length === 0) return
  }
}

const unevenGroups = (allotments: readonly Allotment[], units: readonly Sorted[]): ReadonlySet<string> =>
  new Set(
    [...new Set(units.flatMap(({ groups }) => groups))].filter((group) => {
      const counts = allotments.map((allotment) => allotment.of(group))
      return Math.max(...counts) - Math.min(...counts) > 1
    }),
  )

/** True where the unit went to another allotment. */
const settle = (
  given: Sorted,
  allotments: readonly Allotment[],
  units: readonly Sorted[],
  left: { tries: number },
): boolean => {
  for (const from of allotments.filter((allotment) => allotment.canDrop(given.unit)))
    for (const to of allotments.filter((allotment) => !allotment.has(given.unit.number))) {
      const taken = isMoreEven(from, to, given)
        ? { unit: undefined }
        : exchanged(given, units, left, { from, to })
      if (taken === undefined) continue
      from.drop(given.unit)
      to.take(given.unit)
      if (taken.unit === undefined) return true
      to.drop(taken.unit)
      from.take(taken.unit)
      return true
    }
  return false
}

/** What `to` gives for the unit; undefined where nothing makes the numbers more even. */
const exchanged = (
  given: Sorted,
  units: readonly Sorted[],
  left: { tries: number },
  { from, to }: { readonly from: Allotment; readonly to: Allotment },
): Sorted | undefined => {
  for (const other of units) {
    if (left.tries <= 0) return undefined
    left.tries -= 1
    if (to.canDrop(other.unit) && !from.has(other.unit.number) && isMoreEven(from, to, given, other))
      return other
  }
  return undefined
}

/** Whether the sum of squares of the groups' numbers falls, and nobody gets more answers of an instance than were so. */
const isMoreEven = (from: Allotment, to: Allotment, given: Sorted, taken?: Sorted): boolean => {
  const more = (a: Sorted, b: Sorted | undefined, source: Allotment, target: Allotment): number =>
    a.groups.reduce(
      (sum, group) =>
        b?.groups.includes(group) === true ? sum : sum + target.of(group) - source.of(group) + 1,
      0,
    )
  const repeats = (a: Sorted, source: Allotment, target: Allotment): number =>
    target.ofInstance(a.unit) - source.ofInstance(a.unit) + 1
  const isOfOneInstance = taken?.unit.instance === given.unit.instance
  return (
    more(given, taken, from, to) + (taken ? more(taken, given, to, from) : 0) < 0 &&
    (isOfOneInstance || repeats(given, from, to) + (taken ? repeats(taken, to, from) : 0) <= 0)
  )
}
