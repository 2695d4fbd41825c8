import { Float } from '../../benchmarks/python/numbers/number.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { TrialStat } from './cells/trial-stat.ts'
import { isDict, isList } from '../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'

/** A table cell. No `value`: there is no number, and `description` says why. */
export interface Cell {
  readonly value?: string | number | Float
  readonly displayValue?: string
  readonly description?: string
  readonly href?: string
  readonly style?: ReadonlyMap<string, string>
  readonly markdown: boolean
  /** Runs that the value is made of. */
  readonly runSpecNames?: readonly string[]
}

export interface HeaderCell extends Cell {
  readonly lowerIsBetter?: boolean
  /** `metric`, `run_group`, `perturbation` of a metric column, by their short names. */
  readonly metadata: ReadonlyMap<string, string>
}

export interface Hyperlink {
  readonly text: string
  readonly href: string
}

/** A table as HELM's front-end shows it (tools/HELM.md F4). */
export interface HelmTable {
  readonly title: string
  readonly header: readonly HeaderCell[]
  readonly rows: readonly (readonly Cell[])[]
  readonly links: readonly Hyperlink[]
  readonly name?: string
  readonly description?: string
}

/** What tables read of a run. */
export interface TableRun {
  /** The run spec's name. */
  readonly name: string
  readonly groups: readonly string[]
  readonly scenario: ObjectSpec
  readonly metrics: readonly ObjectSpec[]
  readonly adapter: Omit<AdapterSpec, 'method'> & { readonly method: string }
  readonly stats: readonly TrialStat[]
  /** Its folder is for its owner only: tables, which are handed out, do not tell the words of its prompts. */
  readonly isRestricted?: true
}

/** Equal for values that Python holds equal: `1 == 1.0 == True`, dicts in any order. */
export const equalityKey = (value: PyValue | undefined): string => {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'object') {
    if (value instanceof Float) return String(value.value)
    if (isList(value)) return `[${value.map(equalityKey).join()}]`
    if (!isDict(value)) return String(value)
    const entries = [...value].map(([key, item]) => `${JSON.stringify(key)}:${equalityKey(item)}`)
    return `{${entries.sort().join()}}`
  }
  return String(Number(value))
}
