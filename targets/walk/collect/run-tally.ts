import { identityOf } from '../../../models/clients/create-client.ts'
import { defined } from '../../../cache/values/defined.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import {
  discreetServed,
  type Drift,
  type Served,
  type RunFailure,
  type RunRecord,
} from '../../record/record.ts'
import type { StageName } from '../../event.ts'
import {
  addCauses,
  isNotStored,
  type Cause,
  type Causes,
  type Coverage,
  type JudgementCount,
} from '../../record/coverage.ts'
import type { Target } from '../../record/target.ts'
import type { UsageWithJudges, Completion, TokenUsage } from '../../record/completion.ts'
import { placedFailure, type RequestAt, type RequestResult } from '../walk.ts'
import { compareCodePoints, strip } from '../../../benchmarks/python/text.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import { readJudgement, type JudgementReading } from '../../jury/stored-judgements.ts'
import { juryStat, strictPoints } from '../../metrics/llm-jury.ts'
import type { MetricPoint } from '../../metrics/metric.ts'
import { dialectOf, type Profile } from '../../profile.ts'
import type { Reply } from '../../../models/calls/client.ts'

/** What is counted of a run's requests. */
export class WalkTally {
  readonly failures: RunFailure[] = []
  readonly counts: Record<StageName, number>
  private readonly target: Target
  private readonly byCause = new Map<Cause, number>()
  private readonly own = new ReplyTally()
  private readonly judges: readonly ReplyTally[]
  private evaluated = 0
  private measured = 0
  private judgements: JudgementCount | undefined

  constructor(target: Target, instances: number) {
    this.target = target
    this.judges = target.judges.map(() => new ReplyTally())
    this.counts = { instances, prompts: 0, completions: 0, annotations: 0, metrics: 0 }
  }

  add(result: RequestResult, reading: RequestReading, at: RequestAt): void {
    this.counts.prompts += 1
    this.counts.completions += result.completion === undefined ? 0 : 1
    this.counts.annotations += result.judgements.filter(({ digest }) => digest !== undefined).length
    this.counts.metrics += result.metrics?.length ?? 0
    for (const failure of result.failures) this.failures.push(placedFailure(at, failure))
    for (const cause of reading.causes) this.byCause.set(cause, (this.byCause.get(cause) ?? 0) + 1)
    if (reading.measured !== undefined) this.evaluated += 1
    if (reading.measured === true) this.measured += 1
    if (reading.judgements !== undefined) {
      const { wanted, read } = this.judgements ?? { wanted: 0, read: 0 }
      this.judgements = {
        wanted: wanted + reading.judgements.wanted,
        read: read + reading.judgements.read,
      }
    }
    this.addReplies(result)
  }

  causes(): Causes {
    const drifted = [this.own, ...this.judges].reduce((sum, tally) => sum + tally.minority(), 0)
    if (drifted > 0) this.byCause.set('model-drift', drifted)
    return addCauses([Object.fromEntries(this.byCause)])
  }

  coverage(): Coverage {
    return defined({ evaluated: this.evaluated, measured: this.measured, judgements: this.judgements })
  }

  /** What the provider says that it used. */
  served(): Pick<RunRecord, 'served' | 'drift'> {
    const drift = this.drift()
    const { deployment } = this.target
    return {
      served: Object.keys(this.shown(this.own, deployment)),
      ...(drift.length === 0 ? {} : { drift }),
    }
  }

  /** Deployments whose replies are not all of one model; the model's own first. */
  private drift(): readonly Drift[] {
    const { deployment, judges } = this.target
    const asked = [
      { tally: this.own, of: deployment, who: { deployment: deployment.name } },
      ...judges.map(({ judge, deployment: own }, index) => ({
        tally: this.judges[index],
        of: own,
        who: { deployment: own.name, judge: judge.name },
      })),
    ]
    return asked.flatMap(({ tally, of, who }) =>
      tally?.hasDrifted() === true ? [{ ...who, served: this.shown(tally, of) }] : [],
    )
  }

  private shown(tally: ReplyTally, deployment: ModelDeployment): Served {
    return discreetServed(tally.served(), identityOf(deployment).modelString, this.target.spec.benchmark)
  }

  usage(): UsageWithJudges {
    return {
      ...this.own.usage(),
      judges: Object.fromEntries(
        this.target.judges.flatMap(({ judge, deployment }, index) => {
          const tally = this.judges[index]
          return tally === undefined ? [] : [[judge.name, { deployment: deployment.name, ...tally.usage() }]]
        }),
      ),
    }
  }

  private addReplies({ completion, judgements }: RequestResult): void {
    for (const [index, tally] of this.judges.entries())
      for (const reply of judgements[index]?.completions ?? []) tally.add(reply)
    if (completion !== undefined) this.own.add(completion)
  }
}

/**
 * What the replies of one deployment took, and what the provider said that it used. Equal requests share a reply, which
 * counts once.
 */
export class ReplyTally {
  private readonly seen = new Set<Digest>()
  private readonly names = new Map<string, number>()
  private untimed = 0
  private readonly sums = {
    unknown: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    seconds: 0,
  }

  add({ digest, stored: { reply, requestTime } }: Completion): void {
    if (this.seen.has(digest)) return
    this.seen.add(digest)
    const { model, systemFingerprint, usage } = reply
    if (model !== undefined) {
      const name = systemFingerprint === undefined ? model : `${model} (${systemFingerprint})`
      this.names.set(name, (this.names.get(name) ?? 0) + 1)
    }
    this.sums.seconds += requestTime
    if (requestTime === 0) this.untimed += 1
    if (usage === undefined) {
      this.sums.unknown += 1
      return
    }
    this.sums.inputTokens += usage.inputTokens
    this.sums.cachedInputTokens += usage.cachedInputTokens ?? 0
    this.sums.outputTokens += usage.outputTokens
    this.sums.reasoningTokens += usage.reasoningTokens ?? 0
  }

  usage(): TokenUsage {
    const { untimed, sums } = this
    return { calls: this.seen.size, ...sums, ...(untimed > 0 && sums.seconds > 0 && { untimed }) }
  }

  /** By model id and fingerprint. */
  served(): Served {
    return Object.fromEntries([...this.names].sort(([a], [b]) => compareCodePoints(a, b)))
  }

  hasDrifted(): boolean {
    return this.names.size > 1
  }

  /** Replies that are not of the one that gave most. */
  minority(): number {
    const counts = [...this.names.values()]
    return counts.length < 2 ? 0 : counts.reduce((sum, count) => sum + count, 0) - Math.max(...counts)
  }
}

/** How far a request was measured. */
interface RequestReading {
  readonly causes: readonly Cause[]
  /** Undefined where the main metric is not asked of its split. */
  readonly measured?: boolean
  /** Of a request of the main metric's split, where judges give that metric. */
  readonly judgements?: JudgementCount
  readonly ownPoints: readonly MetricPoint[]
}

type RequestReader = (result: RequestResult, split: string) => RequestReading

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
  { prompt: { prompt }, completion, answer, failures }: RequestResult,
  judges: readonly JudgementReading[],
  lacksValue: boolean,
): readonly Cause[] => {
  const ofPrompt: readonly Cause[] = prompt.truncated ? ['prompt-truncated'] : []
  if (completion === undefined)
    return [...ofPrompt, failures.some(({ cause }) => isNotStored(cause)) ? 'not-stored' : 'provider-error']
  const ofReply = answer === undefined ? undefined : replyCause(completion.stored.reply, answer)
  const ofJudges = judges.flatMap((judge) => (judge.kind === 'failed' ? [judge.cause] : []))
  return [
    ...ofPrompt,
    ...(ofReply === undefined ? [] : [ofReply]),
    ...ofJudges,
    ...(lacksValue && !ofJudges.some((cause) => NO_VALUE.has(cause)) ? (['not-measured'] as const) : []),
  ]
}

/** Causes of judges without which nothing is measured. */
const NO_VALUE: ReadonlySet<Cause> = new Set(['judge-missing', 'not-stored'])

/** Finish reasons as OpenAI-compatible servers, and those that speak for other makers, give them. */
const REFUSED: ReadonlySet<string> = new Set([
  'content_filter',
  'refusal',
  'sensitive',
  // Google's.
  'safety',
  'recitation',
  'blocklist',
  'prohibited_content',
  'spii',
])
/** The last two: the window was full before `max_tokens` was reached. */
const TRUNCATED: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'model_length',
  'model_context_window_exceeded',
])

/**
 * What makes a reply less than an answer; the first that holds of refused, truncated and empty, as it explains the
 * others. Of several completions one is enough.
 *
 * @param answer the first completion as metrics and judges see it, cut at the stop sequences
 */
export const replyCause = ({ choices }: Reply, answer: string): Cause | undefined => {
  // `content_filter: SAFETY`
  const reasons = choices.map(({ finishReason }) => finishReason?.toLowerCase().split(':')[0] ?? '')
  if (choices.some(({ refusal }) => refusal !== undefined) || reasons.some((reason) => REFUSED.has(reason)))
    return 'refused'
  if (reasons.some((reason) => TRUNCATED.has(reason))) return 'truncated'
  return strip(answer) === '' ? 'empty-completion' : undefined
}
