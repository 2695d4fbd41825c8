import type { Target } from '../record/target.ts'
import type { TargetKey } from '../keys/keys.ts'

export interface KeyedTarget {
  readonly suite: string
  readonly target: Target
  readonly key: TargetKey
}

/** A target whose key is not the base's; without `base` it is new. */
export interface ChangedTarget {
  readonly head: KeyedTarget
  readonly base?: KeyedTarget
}

export interface Changes {
  readonly changed: readonly ChangedTarget[]
  /** The base's that did not change, of a model on a benchmark of which other runs did. */
  readonly beside: readonly KeyedTarget[]
  /** Names of runs that only the base has. */
  readonly removed: readonly string[]
  /** Runs by different names. */
  readonly total: number
}

/** Compares keys, not files: a reformatted file or a renamed suite changes nothing. */
export const changedTargets = (head: readonly KeyedTarget[], base: readonly KeyedTarget[]): Changes => {
  const names = new Set(head.map(nameOf))
  const changed: ChangedTarget[] = []
  const kept: KeyedTarget[] = []
  const seen = new Set<string>()
  for (const each of head) {
    const twins = base.filter((other) => nameOf(other) === nameOf(each))
    const same = twins.find(({ key }) => key.digest === each.key.digest)
    if (same !== undefined) kept.push({ ...same, suite: each.suite })
    if (same !== undefined || seen.has(each.key.digest)) continue
    seen.add(each.key.digest)
    const twin = twins.find(({ suite }) => suite === each.suite) ?? twins[0]
    changed.push({ head: each, ...(twin === undefined ? {} : { base: twin }) })
  }
  const removed = [...new Set(base.map(nameOf).filter((name) => !names.has(name)))]
  const places = new Set(changed.map((each) => placeOf(each.head)))
  const beside = kept.filter((each) => places.has(placeOf(each)))
  return { changed, beside, removed, total: names.size }
}

const placeOf = ({ suite, target: { spec } }: KeyedTarget): string =>
  JSON.stringify([suite, spec.benchmark.name, spec.adapter.modelDeployment])

const nameOf = ({ target }: KeyedTarget): string => target.spec.name
