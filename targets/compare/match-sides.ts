import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Target } from '../record/target.ts'
import { scenarioOf } from '../runs/scenario-name.ts'

interface SuiteTarget {
  readonly suite: string
  readonly target: Target
}

/**
 * Runs of A and of B that ask the same: by suite and by name without the model. A and B are deployments, models or run
 * names; two run names are compared as they are.
 *
 * @throws ProblemError `compare/unknown-model`, `compare/ambiguous-model`, `compare/nothing-shared`
 */
export const matchSides = <T extends SuiteTarget>(
  targets: readonly T[],
  a: string,
  b: string,
): readonly { readonly a: T; readonly b: T }[] => {
  const [before, after] = [sideOf(targets, a), sideOf(targets, b)]
  const pairs = [...before].flatMap(([key, each]) => {
    const other = after.get(key)
    return other === undefined ? [] : [{ a: each, b: other }]
  })
  if (pairs.length > 0) return pairs
  const [firstA, firstB] = [[...before.values()][0], [...after.values()][0]]
  if (before.size === 1 && after.size === 1 && firstA !== undefined && firstB !== undefined)
    return [{ a: firstA, b: firstB }]
  throw new ProblemError({
    code: 'compare/nothing-shared',
    message: `${a} and ${b} have no benchmark in common`,
    remedy: 'Add the missing run entries to the suite, and run it.',
  })
}

const sideOf = <T extends SuiteTarget>(targets: readonly T[], wanted: string): ReadonlyMap<string, T> => {
  const runs = targets.filter(({ target }) => target.spec.name === wanted)
  const found =
    runs.length > 0
      ? runs
      : targets.filter(
          ({ target: { spec } }) => spec.adapter.modelDeployment === wanted || spec.adapter.model === wanted,
        )
  if (found.length === 0) throw unknown(wanted, targets)
  const side = new Map<string, T>()
  for (const each of found) {
    const { name } = each.target.spec
    const key = `${each.suite} ${scenarioOf(name)}`
    const twin = side.get(key)
    if (twin !== undefined) throw ambiguous(wanted, [twin.target.spec.name, name])
    side.set(key, each)
  }
  return side
}

const unknown = (wanted: string, targets: readonly SuiteTarget[]): ProblemError => {
  const names = [...new Set(targets.map(({ target }) => target.spec.adapter.modelDeployment))]
  return new ProblemError({
    code: 'compare/unknown-model',
    message: `no run of these suites is of ${wanted}`,
    remedy: `${suggestion(wanted, names)}Name one of ${names.join(', ')}, or a run.`,
  })
}

const ambiguous = (wanted: string, runs: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'compare/ambiguous-model',
    message: `${wanted} has several runs that ask the same: ${runs.join(', ')}`,
    remedy: 'Name the deployment instead of the model, or one of the runs.',
  })
