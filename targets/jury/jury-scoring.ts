import type { PyValue } from '../../benchmarks/python/value.ts'
import type { RequestState } from '../record/request-state.ts'

export interface JuryScoring {
  /** The jury's metric of one state. */
  readonly score: (state: RequestState) => number
  readonly annotator: string
  readonly judges: readonly string[]
}

/** The judgements of a state that was judged; undefined where no jury was asked. */
export const judgementsOf = (
  { annotations }: RequestState,
  { annotator }: JuryScoring,
): ReadonlyMap<string, PyValue> | undefined => {
  const annotation = annotations?.get(annotator)
  return annotation instanceof Map ? annotation : undefined
}

/**
 * What the run's own metric gives where only some judges' replies are there: an answer that none of them could score
 * gets the default score, as in the run itself.
 */
export const scoreBy = (
  state: RequestState,
  jury: JuryScoring,
  keeps: (judge: string) => boolean,
): number => {
  const kept = new Map([...(judgementsOf(state, jury) ?? [])].filter(([judge]) => keeps(judge)))
  return jury.score({ ...state, annotations: new Map<string, PyValue>([[jury.annotator, kept]]) })
}
