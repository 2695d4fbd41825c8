import type { Target } from '../record/target.ts'
import type { TargetKey } from '../keys/keys.ts'

/** A suite's target with its key. */
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
  /** Names of runs that only the base has. */
  readonly removed: readonly string[]
  /** Runs by different names. */
  readonly total: number
}

/** Compares keys, not files: a reformatted file or a renamed suite changes nothing. */
export const changedTargets = (head: readonly KeyedTarget[], base: readonly KeyedTarget[]): Changes => {
  const names = new Set(head.map(nameOf))
  const changed: ChangedTarget[] = []
  const seen = new Set<string>()
  for (const each of head) {
    const twins = base.filter((other) => nameOf(other) === nameOf(each))
    const isKnown = twins.some(({ key }) => key.digest === each.key.digest)
    if (isKnown || seen.has(each.key.digest)) continue
    seen.add(each.key.digest)
    const twin = twins.find(({ suite }) => suite === each.suite) ?? twins[0]
    changed.push({ head: each, ...(twin === undefined ? {} : { base: twin }) })
  }
  const removed = [...new Set(base.map(nameOf).filter((name) => !names.has(name)))]
  return { changed, removed, total: names.size }
}

const nameOf = ({ target }: KeyedTarget): string => target.spec.name
