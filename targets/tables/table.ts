import type { Float } from '../../benchmarks/python/numbers/float.ts'

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
