import type { Digest } from '../../cache/values/digest.ts'
import type { PyValue } from '../python/value.ts'
import type { MetricCodeInput } from './metric-code.ts'

/** What a workspace's annotator is given of one answer. Neither ids nor other annotations are among it. */
export type AnnotatorCodeInput = Omit<MetricCodeInput, 'annotations' | 'completions' | 'prompt'>

/** A part of an annotation. */
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
