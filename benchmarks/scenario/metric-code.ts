import type { Digest } from '../../cache/values/digest.ts'
import type { PyValue } from '../python/value.ts'

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

/** What a workspace's annotator is given of one answer. Neither ids nor other annotations are among it. */
export type AnnotatorCodeInput = Omit<MetricCodeInput, 'annotations' | 'completions' | 'prompt'>

export interface AnnotationPart {
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean' | 'texts' | 'numbers'
  /** Ends of numbers, ends included; null: none. */
  readonly least: number | null
  readonly most: number | null
  /** Whether it may be null. */
  readonly nullable: boolean
}

/** An annotator that a workspace brings as code. */
export interface AnnotatorCode {
  readonly id: string
  /** Of its file and all that it imports of the workspace. */
  readonly digest: Digest<'code'>
  readonly files: readonly string[]
  /** As the benchmark's declaration gives them. */
  readonly args: ReadonlyMap<string, PyValue>
  readonly fields: readonly AnnotationPart[]
  /** Seconds after which an answer's annotation is given up. */
  readonly timeout: number
  readonly annotate: (input: AnnotatorCodeInput, signal: AbortSignal) => unknown
}

/** A number that a metric gives, as a reader needs to know it. */
export interface Measure {
  /** HELM's name of the stat; `<…>` stands for a part that the run names. */
  readonly name: string
  readonly unit: string
  /** The least and the greatest value, ends included; null: no bound. */
  readonly least: number | null
  readonly most: number | null
  readonly better: 'higher' | 'lower' | 'neither'
  /** What one value is of. */
  readonly of: 'instance' | 'split'
  /** Shown to readers. */
  readonly displayName: string
  /** Over columns; the display name where absent. */
  readonly shortDisplayName?: string
  readonly description: string
  /** The metric group of generated schemas that it stands in. */
  readonly group?: string
  /** HELM's generated schemas lack it: they lose its column. */
  readonly unlisted?: true
  /** Computed only where the workspace has an encoder. */
  readonly needs?: 'encoder'
  /** Compares whole texts: what clinicians said of an answer is held against it. */
  readonly ofTexts?: true
  /** The measure that HELM's tables show where a run lacks this one. */
  readonly standIn?: string
}
