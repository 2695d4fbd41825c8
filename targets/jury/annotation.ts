import type { PyValue } from '../../benchmarks/python/value.ts'

/** HELM's annotation of an answer of blanks only: no judge was asked (HELM.md T11). */
export const emptyAnnotation = (): ReadonlyMap<string, PyValue> =>
  new Map<string, PyValue>([
    ['prompt_text', null],
    ['empty_output_equivalence_judgement', false],
  ])

export const isEmptyAnnotation = (annotation: ReadonlyMap<string, PyValue>): boolean =>
  annotation.has('empty_output_equivalence_judgement')

/**
 * HELM's annotation of a judged answer: the prompt, then each judge's parsed reply in the jury's order.
 * Judges without a reply that could be read are not in it.
 */
export const annotationOf = (
  prompt: string,
  judgements: Iterable<readonly [judge: string, parsed: PyValue]>,
): ReadonlyMap<string, PyValue> => new Map<string, PyValue>([['prompt_text', prompt], ...judgements])
