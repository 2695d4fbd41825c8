import type { PyValue } from '../python/value.ts'
import type { MetricSpec } from './benchmark.ts'

/** What a metric set may need to know of its benchmark. */
export interface MetricContext {
  /** The benchmark's name. */
  readonly task: string
  /** HELM's run_spec form of the judges. */
  readonly annotatorModels: ReadonlyMap<string, PyValue>
  /** The workspace's annotators that the benchmark names. */
  readonly annotators?: readonly string[]
  readonly jury?: { readonly metric: string; readonly annotator: string; readonly defaultScore?: number }
}

/** A name that a declaration may list under `metrics`. */
export interface MetricSet {
  readonly name: string
  /** True where it scores by a jury: its benchmark must have one, and no other may. */
  readonly judged?: true
  /** Names in the simple form that stand for it (HELM.md B9). */
  readonly simple?: readonly string[]
  /** The simple form adds it to metrics of a workspace's own. */
  readonly beside?: true
  /** The metric objects behind it, in HELM's order. */
  readonly specs: (context: MetricContext) => readonly MetricSpec[]
}

/** The built-in metrics as declarations see them: the room that computes them gives it. */
export interface MetricCatalog {
  readonly sets: readonly MetricSet[]
}
