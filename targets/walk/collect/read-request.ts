import { strip } from '../../../benchmarks/python/text.ts'
import { readJudgement, type JudgementReading } from '../../jury/read-judgement.ts'
import { juryStat } from '../../metrics/llm-jury.ts'
import { strictPoints } from '../../metrics/strict-points.ts'
import type { MetricPoint } from '../../metrics/metric.ts'
import { dialectOf, type Profile } from '../../profile.ts'
import type { Cause, JudgementCount } from '../../record/coverage.ts'
import type { RequestResult } from '../request.ts'
import type { Target } from '../../record/target.ts'
import type { Reply } from '../../../models/calls/client.ts'

/** How far a request was measured. */
export interface RequestReading {
  readonly causes: readonly Cause[]
  /** Undefined where the main metric is not asked of its split. */
  readonly measured?: boolean
  /** Of a request of the main metric's split, where judges give that metric. */
  readonly judgements?: JudgementCount
  readonly ownPoints: readonly MetricPoint[]
}

export type RequestReader = (result: RequestResult, split: string) => RequestReading

export const createRequestReader = (target: Target, profile: Profile): RequestReader => {
  const { jury, mainMetric } = target.spec.benchmark
  const dialect = dialectOf(profile)
  const byJury = target.spec.metrics.some(({ helm }) => juryStat(helm) === mainMetric.name)
  /** A value with which its metric as a whole is told as failed is HELM's stand-in. */
  const isMeasured = ({ metrics = [], failures }: RequestResult): boolean =>
    metrics.some(
      ({ points }, index) =>
        points.some(({ name, value }) => name === mainMetric.name && value !== null) &&
        !failures.some(
          ({ stage, judge }) => stage === 'metrics' && judge === target.spec.metrics[index]?.metric,
        ),
    )
  const readJudges = ({ judgements, state }: RequestResult): readonly JudgementReading[] =>
    jury === undefined
      ? []
      : judgements.slice(0, target.judges.length).flatMap(
          ({ outcome, retriable }) =>
            readJudgement(
              {
                outcome,
                replied: !retriable,
                graded: { instance: () => state().instance, judges: target.judges.length },
              },
              jury,
              dialect,
            ) ?? [],
        )
  return (result, split) => {
    const judges = readJudges(result)
    const asked = split === mainMetric.split
    const hasValue = asked && isMeasured(result)
    const byDefault = byJury && judges.length > 0 && !judges.some(({ kind }) => kind === 'scores')
    return {
      causes: causesOf(result, judges, asked && !hasValue),
      ...(asked ? { measured: hasValue && !byDefault } : {}),
      ...(asked && byJury ? { judgements: countJudgements(result, judges, target.judges.length) } : {}),
      ownPoints: strictPoints(judges, jury?.grading),
    }
  }
}

/** All of a blank answer's count as read: nobody was asked, and the metric knows its score. */
const countJudgements = (
  { answer }: RequestResult,
  judges: readonly JudgementReading[],
  wanted: number,
): JudgementCount => {
  const isBlank = judges.length === 0 && answer !== undefined && strip(answer) === ''
  return { wanted, read: isBlank ? wanted : judges.filter(({ kind }) => kind === 'scores').length }
}

const causesOf = (
  { prompt: { prompt }, completion, answer }: RequestResult,
  judges: readonly JudgementReading[],
  lacksValue: boolean,
): readonly Cause[] => {
  const ofPrompt: readonly Cause[] = prompt.truncated ? ['prompt-truncated'] : []
  if (completion === undefined) return [...ofPrompt, 'provider-error']
  const ofReply = answer === undefined ? undefined : replyCause(completion.stored.reply, answer)
  const ofJudges = judges.flatMap((judge) => (judge.kind === 'failed' ? [judge.cause] : []))
  return [
    ...ofPrompt,
    ...(ofReply === undefined ? [] : [ofReply]),
    ...ofJudges,
    ...(lacksValue && !ofJudges.includes('judge-missing') ? (['not-measured'] as const) : []),
  ]
}

/** Finish reasons as OpenAI-compatible servers, and those that speak for other makers, give them. */
const REFUSED: ReadonlySet<string> = new Set(['content_filter', 'refusal', 'safety', 'recitation'])
const TRUNCATED: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_output_tokens'])

/**
 * What makes a reply less than an answer; the first that holds of refused, truncated and empty, as it explains the
 * others. Of several completions one is enough.
 *
 * @param answer the first completion as metrics and judges see it, cut at the stop sequences
 */
export const replyCause = ({ choices }: Reply, answer: string): Cause | undefined => {
  const reasons = choices.map(({ finishReason }) => finishReason?.toLowerCase() ?? '')
  if (choices.some(({ refusal }) => refusal !== undefined) || reasons.some((reason) => REFUSED.has(reason)))
    return 'refused'
  if (reasons.some((reason) => TRUNCATED.has(reason))) return 'truncated'
  return strip(answer) === '' ? 'empty-completion' : undefined
}
