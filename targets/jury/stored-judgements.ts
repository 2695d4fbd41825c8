import type { Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { done, failed } from '../../cache/outcome.ts'
import { dialectOf, type Dialect, type Profile } from '../profile.ts'
import type { RequestState } from '../record/request-state.ts'
import type { Target } from '../record/target.ts'
import { readJudgement, type JudgementReading } from './read-judgement.ts'
import { meanOf } from '../statistics/mean.ts'

/** A jury as the annotations of a built run are read by it. */
export interface JuryReading {
  readonly jury: Pick<Jury, 'annotator' | 'criteria' | 'scale' | 'grading'>
  /** Names, in the jury's order. */
  readonly judges: readonly string[]
  readonly dialect: Pick<Dialect, 'scores'>
}

/** How a run's jury is read; undefined for a run without one. */
export const juryReading = (
  { spec: { benchmark }, judges }: Pick<Target, 'spec' | 'judges'>,
  profile: Profile,
): JuryReading | undefined => benchmark.jury && readingOf(benchmark.jury, judges, profile)

/** The same of a jury that there is. */
export const readingOf = (
  jury: JuryReading['jury'],
  judges: Target['judges'],
  profile: Profile,
): JuryReading => ({
  jury,
  judges: judges.map(({ judge }) => judge.name),
  dialect: dialectOf(profile),
})

/** One judge's part in a stored annotation. */
export interface StoredJudgement {
  readonly judge: string
  /** The parsed reply; undefined where none came that could be read. */
  readonly parsed: PyValue | undefined
  readonly reading: JudgementReading
}

/**
 * What each judge gave on one answer. Empty where nothing was judged. An annotation does not tell a judge that gave no
 * reply from one whose reply could not be read: both are `judge-unparseable` here.
 */
export const storedJudgements = (
  { annotations, instance }: Pick<RequestState, 'annotations' | 'instance'>,
  { jury, judges, dialect }: JuryReading,
): readonly StoredJudgement[] => {
  const annotation = annotations?.get(jury.annotator)
  if (!(annotation instanceof Map) || isEmptyAnnotation(annotation)) return []
  return judges.map((judge) => {
    const parsed: PyValue | undefined = annotation.get(judge)
    const outcome = parsed === undefined ? failed('unparseable', 'not in the annotation') : done(parsed)
    const reading = readJudgement(
      { outcome, replied: true, graded: { instance: () => instance, judges: judges.length } },
      jury,
      dialect,
    )
    if (reading === undefined) throw new RangeError(`a judgement of ${judge} reads as absent`)
    return { judge, parsed, reading }
  })
}

/** Mean over all scores of the judges that count, whatever the rubric; null where none does. */
export const judgedScore = (
  state: Pick<RequestState, 'annotations' | 'instance'>,
  reading: JuryReading,
): number | null => {
  const scores = storedJudgements(state, reading).flatMap(({ reading: own }) =>
    own.kind === 'scores' ? own.scores : [],
  )
  return scores.length === 0 ? null : meanOf(scores)
}

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
