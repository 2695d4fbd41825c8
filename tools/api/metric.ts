import type { AnnotatorInput } from './annotator.ts'

/** A number that a metric gives of each answer. */
export interface MetricMeasure {
  /** Letters, digits, `_`, `-`, `.`. One measure has the name of its file: it is the main one. */
  readonly name: string
  /** `share` (of 1), `0 or 1`, `count`, or a unit of your own; `share` if left out. */
  readonly unit?: string
  /**
   * Ends of the scale, ends included; null: none. 0 and 1 if left out. Intervals never leave them where there are both; with one
   * alone they are Student's, which know of no end.
   */
  readonly least?: number | null
  readonly most?: number | null
  /** `higher` if left out; a measure that is `neither` is not ranked. */
  readonly better?: 'higher' | 'lower' | 'neither'
  readonly displayName?: string
  readonly description?: string
}

/** One answer, and what it is to be held against. There is no id: a score must not depend on one. */
export interface MetricInput extends AnnotatorInput {
  /** The whole prompt as it was sent. */
  readonly prompt: string
  readonly completions: readonly string[]
  /** What judges and other annotators said, by annotator. */
  readonly annotations: Readonly<Record<string, unknown>>
}

export interface MetricDefinition {
  readonly measures: readonly MetricMeasure[]
  /**
   * A pure function: same input, same values; no file, network, clock or chance. A value per measure: a number within
   * its ends, a boolean, or null where there is none. What it throws makes this one instance not measured, with the
   * error's message as the cause.
   */
  readonly evaluate: (input: MetricInput) => Readonly<Record<string, number | boolean | null>>
}

/**
 * A metric of a workspace: `export const metric = defineMetric({…})` in `targets/metrics/<id>.ts`. Benchmarks name it by
 * its id. Its code, with all that it imports of the workspace, is part of its results' key.
 */
export const defineMetric = (metric: MetricDefinition): MetricDefinition => metric
