import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { scenarioOf } from '../runs/board-metric.ts'

/** A run by what it is called. */
export interface Sided {
  readonly suite: string
  readonly name: string
  readonly model: string
  readonly deployment: string
}

interface Matched<T> {
  readonly pairs: readonly { readonly a: T; readonly b: T }[]
  /** Runs of one side that the other lacks. */
  readonly alone: readonly T[]
}

/**
 * Runs of A and of B that ask the same: by suite and by name without the model, else by that name alone. A and B are
 * deployments, models or run names; two run names are compared as they are.
 *
 * @param places in which a side is looked for, one after the other
 * @throws ProblemError `compare/unknown-model`, `compare/ambiguous-model`, `compare/nothing-shared`
 */
export const matchSides = <T extends Sided>(
  places: readonly (readonly T[])[],
  a: string,
  b: string,
): Matched<T> => {
  const sides = [sideOf(places, a), sideOf(places, b)] as const
  const matched = matchedBy(sides, [
    ({ suite, name }) => `${suite} ${scenarioOf(name)}`,
    ({ name }) => scenarioOf(name),
  ])
  if (matched !== undefined) return matched
  throw nothingShared(a, b, 'Add the missing run entries to the suite, and run it.')
}

/**
 * Runs of two places, run by run: by suite and name, else by name; where each holds runs of one model alone, else by
 * name without the model.
 *
 * @throws ProblemError `compare/ambiguous-model`, `compare/nothing-shared`
 */
export const matchRuns = <T extends Sided>(
  sides: readonly [a: readonly T[], b: readonly T[]],
  names: readonly [a: string, b: string],
): Matched<T> => {
  const ofOneModel = sides.every((side) => new Set(side.map(({ deployment }) => deployment)).size === 1)
  const matched = matchedBy(sides, [
    ({ suite, name }) => `${suite} ${name}`,
    ({ name }) => name,
    ...(ofOneModel ? [({ name }: Sided) => scenarioOf(name)] : []),
  ])
  if (matched !== undefined) return matched
  throw nothingShared(
    ...names,
    'Name folders that hold runs of the same names, or of one model each; `--from` compares two models of several folders.',
  )
}

/** By the first of the keys under which anything pairs; two runs alone are a pair. */
const matchedBy = <T extends Sided>(
  [a, b]: readonly [readonly T[], readonly T[]],
  keys: readonly ((run: T) => string)[],
): Matched<T> | undefined => {
  for (const keyOf of keys) {
    const others = new Set(b.map(keyOf))
    if (!a.some((run) => others.has(keyOf(run)))) continue
    const [before, after] = [byKey(a, keyOf), byKey(b, keyOf)]
    return {
      pairs: [...before].flatMap(([key, run]) => {
        const other = after.get(key)
        return other === undefined ? [] : [{ a: run, b: other }]
      }),
      alone: [
        ...[...before].flatMap(([key, run]) => (after.has(key) ? [] : [run])),
        ...[...after].flatMap(([key, run]) => (before.has(key) ? [] : [run])),
      ],
    }
  }
  const [[firstA, ...moreA], [firstB, ...moreB]] = [a, b]
  const isPair = moreA.length === 0 && moreB.length === 0
  return isPair && firstA !== undefined && firstB !== undefined
    ? { pairs: [{ a: firstA, b: firstB }], alone: [] }
    : undefined
}

const byKey = <T extends Sided>(runs: readonly T[], keyOf: (run: T) => string): ReadonlyMap<string, T> => {
  const found = new Map<string, T>()
  for (const run of runs) {
    const twin = found.get(keyOf(run))
    if (twin !== undefined) throw ambiguous(run, twin)
    found.set(keyOf(run), run)
  }
  return found
}

const sideOf = <T extends Sided>(places: readonly (readonly T[])[], wanted: string): readonly T[] => {
  for (const runs of places) {
    const named = runs.filter(({ name }) => name === wanted)
    const found =
      named.length > 0
        ? named
        : runs.filter(({ deployment, model }) => deployment === wanted || model === wanted)
    if (found.length > 0) return found
  }
  throw unknown(wanted, places.flat())
}

/** Whether one of the places has runs of it. */
export const isKnownSide = (runs: readonly Sided[], wanted: string): boolean =>
  runs.some(({ name, deployment, model }) => [name, deployment, model].includes(wanted))

const unknown = (wanted: string, runs: readonly Sided[]): ProblemError => {
  const names = [...new Set(runs.map(({ deployment }) => deployment))]
  return new ProblemError({
    code: 'compare/unknown-model',
    message: `no run here is of ${wanted}`,
    remedy:
      names.length === 0
        ? 'There is no run at all of the suites that were named.'
        : `${suggestion(wanted, names)}Name one of ${names.join(', ')}, or a run.`,
  })
}

const nothingShared = (a: string, b: string, remedy: string): ProblemError =>
  new ProblemError({
    code: 'compare/nothing-shared',
    message: `${a} and ${b} have no benchmark in common`,
    remedy,
  })

const ambiguous = (one: Sided, other: Sided): ProblemError =>
  new ProblemError({
    code: 'compare/ambiguous-model',
    message: `one side has several runs that ask the same: ${[other, one].map(({ suite, name }) => `${name} of ${suite}`).join(' and ')}`,
    remedy: 'Name the deployment instead of the model, one of the runs, or one suite.',
  })
