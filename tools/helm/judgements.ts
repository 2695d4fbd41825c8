import type { PyValue } from '../../benchmarks/python/value.ts'
import type { ObjectSpec, ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import { isEmptyAnnotation } from '../../targets/jury/stored-judgements.ts'
import { judgeScores } from '../../targets/jury/judge-scores.ts'
import { DEFAULT_PROFILE, dialectOf, type Profile } from '../../targets/profile.ts'
import { juryStat } from '../../targets/metrics/llm-jury.ts'
import type { SummaryJury } from '../../benchmarks/lookup/list.ts'
import type { JudgementCount } from '../../targets/record/coverage.ts'
import type { RequestState } from '../../targets/record/request-state.ts'

/** What is read of a request state. */
type Judged = Pick<RequestState, 'annotations' | 'trainTrialIndex'> & {
  readonly instance: {
    readonly id?: string | number
    readonly split?: string
    readonly perturbation?: object
  }
}

export interface HelmJury {
  readonly annotator: string
  /** Absent where the metric does not name them: all whose judgements are in the file, then. */
  readonly judges?: readonly string[]
  /** Scores outside do not count; absent where nobody says, or judges grade items. */
  readonly scale?: ScoreScale
  /** In whose way scores are read: files of HELM's do not tell. */
  readonly profile?: Profile
}

/**
 * The judges who give a metric of a run of HELM's; undefined where none do.
 * @param declared the benchmark's jury: earlier juries' metrics were a class a benchmark
 */
export const juryOf = (
  metrics: readonly ObjectSpec[],
  name: string,
  declared?: SummaryJury,
): HelmJury | undefined => {
  const scale = declared?.metric === name && !declared.isGraded ? { scale: declared.scale } : {}
  const spec = metrics.find((spec) => juryStat(spec) === name)
  const annotator = spec?.args.get('scenario_name')
  const judges = spec?.args.get('annotator_models')
  return typeof annotator === 'string' && judges instanceof Map
    ? { annotator, judges: [...judges.keys()].map(String), ...scale }
    : declared?.metric === name
      ? { annotator: declared.annotator, ...scale }
      : undefined
}

export interface ReadJudgements {
  readonly judgements: JudgementCount
  /** Ids of the instances that lack a judge's score, in any trial: HELM averaged over the others, or took a default. */
  readonly unread: ReadonlySet<string>
  /** Answers of which no judge's score could be read, by `answerKey`: their value is HELM's default. */
  readonly byDefault: ReadonlySet<string>
}

export const answerKey = (id: string | number, trial: number): string => `${trial} ${id}`

/** HELM's files hold the judgements that could be read, and nothing of the others. */
export const readJudgements = async (
  states: AsyncIterable<Judged>,
  { annotator, judges, ...jury }: HelmJury,
  split: string,
): Promise<ReadJudgements> => {
  const seen = new Set(judges)
  const answers: { id: string; trial: number; read: ReadonlySet<string> | 'blank' }[] = []
  for await (const { instance, annotations, trainTrialIndex: trial } of states) {
    if (instance.split !== split || instance.perturbation !== undefined) continue
    const annotation = annotations?.get(annotator)
    const read = annotation instanceof Map ? readIn(annotation, jury) : new Set<string>()
    if (judges === undefined && read !== 'blank') for (const judge of read) seen.add(judge)
    answers.push({ id: String(instance.id), trial, read })
  }
  const counts = answers.map(({ read }) =>
    read === 'blank' ? seen.size : [...seen].filter((judge) => read.has(judge)).length,
  )
  /** Where nobody names the judges, and none was read anywhere, one at least was asked. */
  const isJudged = (at: number, least: number): boolean =>
    answers[at]?.read === 'blank' || (counts[at] ?? 0) >= Math.max(1, least)
  return {
    judgements: {
      wanted: answers.length * seen.size,
      read: counts.reduce((sum, count) => sum + count, 0),
    },
    unread: new Set(answers.flatMap(({ id }, at) => (isJudged(at, seen.size) ? [] : [id]))),
    byDefault: new Set(
      answers.flatMap(({ id, trial }, at) => (isJudged(at, 1) ? [] : [answerKey(id, trial)])),
    ),
  }
}

/** Names of the judges whose every score counts. */
const readIn = (
  annotation: ReadonlyMap<string, PyValue>,
  jury: Pick<HelmJury, 'scale' | 'profile'>,
): ReadonlySet<string> | 'blank' =>
  isEmptyAnnotation(annotation)
    ? 'blank'
    : new Set([...annotation].flatMap(([judge, judgement]) => (isRead(judgement, jury) ? [judge] : [])))

const isRead = (
  judgement: PyValue,
  { scale, profile = DEFAULT_PROFILE }: Pick<HelmJury, 'scale' | 'profile'>,
): boolean => {
  const scores = judgement instanceof Map ? judgeScores(judgement, dialectOf(profile).scores) : undefined
  return (
    scores?.kind === 'done' &&
    (scale === undefined || scores.value.every((score) => score >= scale.least && score <= scale.most))
  )
}
