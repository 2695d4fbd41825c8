import { groupBy } from '../../../cache/lists.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { balance } from './balance.ts'
import { Allotment, stratumOf } from './allotment.ts'
import { isAsked, type Study, type StudyUnit } from '../study.ts'

type Raters = Study['raters']

/** The least of the raters is given a unit. */
type Rank = (own: Allotment, holders: readonly Allotment[]) => readonly number[]

/** Answers of one instance lie so many items apart, where a rater must see several. */
const APART = 10

/** Doubly rated answers below which agreement tells little. */
const FEWEST_SHARED = 30

/**
 * Gives each unit to a rater, and a share of them to a second one. Raters have as many units as each other (± 1) of each
 * model and third, so that a strict rater does not look like a weak model, and at most one answer of an instance where they
 * can.
 * What was given before stays; further units come behind it, in an order that chance set per rater. Units whose answer is
 * gone, or rated by another rubric now, connect nobody.
 *
 * @throws ProblemError `ratings/raters-apart` where the raters' shared answers do not connect all of them
 */
export const assignUnits = (
  known: readonly StudyUnit[],
  names: readonly string[],
  { id, seed, overlap }: Pick<Study, 'id' | 'seed' | 'overlap'>,
  before: Raters = [],
): Raters => {
  const units = known.filter(isAsked)
  const all = [...new Set([...before.map(({ name }) => name), ...names])]
  const allotments = all.map(
    (name) => new Allotment(name, units, before.find((each) => each.name === name)?.units ?? []),
  )
  const active = allotments.filter(({ name }) => names.includes(name))
  const chance = (...parts: readonly unknown[]): string => digestOf(JSON.stringify([seed, id, ...parts]))
  const ofUnit = new Map(units.map(({ number }) => [number, allotments.filter((own) => own.has(number))]))
  const open = units
    .map((unit) => ({ unit, place: chance('given', unit.number), stratum: stratumOf(unit) }))
    .toSorted((a, b) =>
      a.stratum === b.stratum ? (a.place < b.place ? -1 : 1) : a.stratum < b.stratum ? -1 : 1,
    )
    .map(({ unit }) => unit)
  const give = (unit: StudyUnit, rank: Rank): void => {
    const holders = ofUnit.get(unit.number) ?? []
    const [best] = active
      .filter((own) => !own.has(unit.number))
      .map((own) => ({ own, rank: rank(own, holders), place: chance('rater', own.name, unit.number) }))
      .toSorted((a, b) => inOrder(a.rank, b.rank) || (a.place < b.place ? -1 : 1))
    if (best === undefined) return
    best.own.take(unit)
    ofUnit.set(unit.number, [...holders, best.own])
  }
  for (const unit of open)
    if ((ofUnit.get(unit.number) ?? []).length === 0)
      give(unit, (own) => [own.ofInstance(unit), own.of(stratumOf(unit)), own.size])
  const shared = sharedUnits(open, active.length < 2 ? 0 : overlap, chance)
  const pairs = new Map<string, number>()
  for (const unit of shared) {
    if ((ofUnit.get(unit.number) ?? []).length < 2)
      give(unit, (own, [holder]) => [
        own.ofInstance(unit),
        own.of(stratumOf(unit)),
        own.size,
        pairs.get(pairOf(own, holder)) ?? 0,
      ])
    const [first, second] = ofUnit.get(unit.number) ?? []
    if (first !== undefined && second !== undefined)
      pairs.set(pairOf(first, second), (pairs.get(pairOf(first, second)) ?? 0) + 1)
  }
  balance(active, open)
  requireConnected(active, units)
  return allotments.map((own) => ({
    name: own.name,
    units: [
      ...own.before,
      ...spread(own.added, own.before, known, (number) => chance('order', own.name, number)),
    ],
  }))
}

const pairOf = (a: Allotment, b: Allotment | undefined): string =>
  [a.name, b?.name ?? ''].toSorted().join(' ')

const inOrder = (a: readonly number[], b: readonly number[]): number => {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0
    if (value !== other) return value - other
  }
  return 0
}

/** Which units two raters see: the same share of each stratum, at least 30 in all where there are so many. */
const sharedUnits = (
  units: readonly StudyUnit[],
  overlap: number,
  chance: (...parts: readonly unknown[]) => string,
): readonly StudyUnit[] => {
  if (overlap === 0) return []
  const wanted = Math.min(units.length, Math.max(FEWEST_SHARED, Math.ceil(overlap * units.length)))
  const drawn = units.map((unit) => ({ unit, place: chance('shared', unit.number) }))
  return [...groupBy(drawn, ({ unit }) => stratumOf(unit)).values()]
    .flatMap((own) =>
      own
        .toSorted((a, b) => (a.place < b.place ? -1 : 1))
        .map(({ unit, place }, index) => ({ unit, place, part: (index + 0.5) / own.length })),
    )
    .toSorted((a, b) => a.part - b.part || (a.place < b.place ? -1 : 1))
    .slice(0, wanted)
    .map(({ unit }) => unit)
}

/** Levels of raters can be told apart from levels of models only where shared answers connect them. */
const requireConnected = (allotments: readonly Allotment[], units: readonly StudyUnit[]): void => {
  const parts: Set<Allotment>[] = allotments.map((own) => new Set([own]))
  for (const { number } of units) {
    const holders = allotments.filter((own) => own.has(number))
    const [first, ...others] = parts.filter((part) => holders.some((own) => part.has(own)))
    for (const other of others) {
      for (const own of other) first?.add(own)
      parts.splice(parts.indexOf(other), 1)
    }
  }
  if (parts.length < 2) return
  throw new ProblemError({
    code: 'ratings/raters-apart',
    message: `no shared answers connect the raters ${parts.map((part) => [...part].map(({ name }) => name).join(', ')).join(' | ')}`,
    where: { field: '--overlap' },
    remedy: 'Have more answers rated by two, with a greater --overlap or more --labels.',
  })
}

/** Units in the order of chance, answers of one instance apart as far as others lie between them. */
const spread = (
  added: readonly number[],
  before: readonly number[],
  units: readonly StudyUnit[],
  place: (number: number) => string,
): readonly number[] => {
  const instances = new Map(units.map(({ number, instance }) => [number, instance]))
  const waiting = added
    .map((number) => ({ number, place: place(number) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ number }) => number)
  const recent = before.slice(1 - APART).map((number) => instances.get(number))
  const order: number[] = []
  const late: number[] = []
  const take = (number: number): void => {
    order.push(number)
    recent.push(instances.get(number))
    if (recent.length >= APART) recent.shift()
  }
  for (const number of waiting) {
    const at = late.findIndex((each) => !recent.includes(instances.get(each)))
    if (at >= 0) take(late.splice(at, 1)[0] ?? 0)
    if (recent.includes(instances.get(number))) late.push(number)
    else take(number)
  }
  return [...order, ...late]
}
