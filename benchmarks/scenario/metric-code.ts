import type { Digest } from '../../cache/values/digest.ts'
import type { Measure } from './measure.ts'

/** What a workspace's metric is given of one answer. Ids are not among it: they alter no score. */
export interface MetricCodeInput {
  /** The scenario's text, without instructions and examples. */
  readonly input: string
  readonly references: readonly { readonly text: string; readonly correct: boolean }[]
  /** What the scenario gave beside, as plain JSON. */
  readonly extra: Readonly<Record<string, unknown>>
  readonly split: string
  /** The whole prompt as it was sent. */
  readonly prompt: string
  /** The first completion, not stripped. */
  readonly completion: string
  readonly completions: readonly string[]
  /** By annotator. */
  readonly annotations: Readonly<Record<string, unknown>>
  /** As the benchmark's declaration gives them. */
  readonly args: Readonly<Record<string, unknown>>
}

/** A metric that a workspace brings as code. */
export interface MetricCode {
  readonly id: string
  /** Of its file and all that it imports of the workspace. */
  readonly digest: Digest<'code'>
  readonly files: readonly string[]
  readonly measures: readonly Measure[]
  readonly evaluate: (input: MetricCodeInput) => unknown
}
