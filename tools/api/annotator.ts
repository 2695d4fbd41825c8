/** A part of an annotation. */
export interface AnnotationField {
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean' | 'texts' | 'numbers'
  /** Ends of numbers, ends included; null or left out: none. */
  readonly least?: number | null
  readonly most?: number | null
  /** Whether it may be null; false if left out. */
  readonly nullable?: boolean
}

/** One answer. There is no id: what is said of an answer must not depend on one. */
export interface AnnotatorInput {
  /** The scenario's text, without instructions and examples. */
  readonly input: string
  readonly references: readonly { readonly text: string; readonly correct: boolean }[]
  /** `extra_data` of the instance, as plain JSON. */
  readonly extra: Readonly<Record<string, unknown>>
  readonly split: string
  /** The first completion, as it came, cut at stop sequences; it may be empty. */
  readonly completion: string
  /** `args` of the benchmark's declaration. */
  readonly args: Readonly<Record<string, unknown>>
}

export interface AnnotatorDefinition {
  /** All parts of an annotation: what lacks one or has another is refused. */
  readonly fields: readonly AnnotationField[]
  /** Seconds after which an answer is given up; 120 if left out. */
  readonly timeout?: number
  /**
   * What is to be known of one answer, by the fields' names. It is kept under the code's digest and the answer: the same
   * answer is annotated once. What it throws, and what is not as `fields` say, is kept as the cause for which this one
   * answer has no annotation and no metric of the workspace a value; a `CallError` with `retriable: true`, and being out of
   * time, leave the run unfinished, and the next one tries again.
   *
   * It may ask a server of its own. Such calls stand in no budget, ledger or data agreement: a benchmark that is not
   * public is sent wherever this code sends it. A judge that medmake asks is declared under `jury`.
   *
   * @param signal aborted when the run is stopped or the time is over
   */
  readonly annotate: (
    input: AnnotatorInput,
    signal: AbortSignal,
  ) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
}

/**
 * An annotator of a workspace: `export const annotator = defineAnnotator({…})` in `targets/annotators/<id>.ts`. Benchmarks
 * name it under `annotators`; metrics read it as `annotations.<id>`. Its code, with all that it imports of the workspace,
 * is part of its annotations' key.
 */
export const defineAnnotator = (annotator: AnnotatorDefinition): AnnotatorDefinition => annotator
