import { identityOf } from '../../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { discreetServed } from '../../record/drift.ts'
import type { StageName } from '../../event.ts'
import { CAUSES, type Cause, type Causes, type Coverage, type JudgementCount } from '../../record/coverage.ts'
import { ServedTally, type Drift, type Served } from '../../record/drift.ts'
import type { RunFailure, RunRecord } from '../../record/record.ts'
import type { Target } from '../../record/target.ts'
import type { UsageWithJudges, TokenUsage } from '../../record/usage.ts'
import { placedFailure, type RequestAt, type RequestResult } from '../request.ts'
import type { RequestReading } from './read-request.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { Completion } from '../../record/completion.ts'

/** Adds up what replies of one deployment took. Equal requests share a reply, which counts once. */
export class UsageTally {
  private readonly seen = new Set<Digest>()
  private unknown = 0
  private inputTokens = 0
  private cachedInputTokens = 0
  private outputTokens = 0
  private reasoningTokens = 0
  private seconds = 0

  add({ digest, stored }: Completion): void {
    if (this.seen.has(digest)) return
    this.seen.add(digest)
    this.seconds += stored.requestTime
    const { usage } = stored.reply
    if (usage === undefined) {
      this.unknown += 1
      return
    }
    this.inputTokens += usage.inputTokens
    this.cachedInputTokens += usage.cachedInputTokens ?? 0
    this.outputTokens += usage.outputTokens
    this.reasoningTokens += usage.reasoningTokens ?? 0
  }

  result(): TokenUsage {
    const { unknown, inputTokens, cachedInputTokens, outputTokens, reasoningTokens, seconds } = this
    return {
      calls: this.seen.size,
      unknown,
      inputTokens,
      cachedInputTokens,
      outputTokens,
      reasoningTokens,
      seconds,
    }
  }
}

/** What is counted of a run's requests. */
export class WalkTally {
  readonly failures: RunFailure[] = []
  readonly counts: Record<StageName, number>
  private readonly target: Target
  private readonly byCause = new Map<Cause, number>()
  private readonly ownServed = new ServedTally()
  private readonly judgesServed: readonly ServedTally[]
  private readonly own = new UsageTally()
  private readonly judges: readonly UsageTally[]
  private evaluated = 0
  private measured = 0
  private judgements: JudgementCount | undefined

  constructor(target: Target, instances: number) {
    this.target = target
    this.judges = target.judges.map(() => new UsageTally())
    this.judgesServed = target.judges.map(() => new ServedTally())
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
    const drifted = [this.ownServed, ...this.judgesServed].reduce((sum, tally) => sum + tally.minority(), 0)
    if (drifted > 0) this.byCause.set('model-drift', drifted)
    return Object.fromEntries(
      CAUSES.flatMap((cause) => {
        const count = this.byCause.get(cause)
        return count === undefined ? [] : [[cause, count]]
      }),
    )
  }

  coverage(): Coverage {
    return {
      evaluated: this.evaluated,
      measured: this.measured,
      ...(this.judgements === undefined ? {} : { judgements: this.judgements }),
    }
  }

  /** What the provider says that it used. */
  served(): Pick<RunRecord, 'served' | 'drift'> {
    const drift = this.drift()
    const { deployment } = this.target
    return {
      served: Object.keys(this.shown(this.ownServed, deployment)),
      ...(drift.length === 0 ? {} : { drift }),
    }
  }

  /** Deployments whose replies are not all of one model; the model's own first. */
  private drift(): readonly Drift[] {
    const { deployment, judges } = this.target
    const asked = [
      { tally: this.ownServed, of: deployment, who: { deployment: deployment.name } },
      ...judges.map(({ judge, deployment: own }, index) => ({
        tally: this.judgesServed[index],
        of: own,
        who: { deployment: own.name, judge: judge.name },
      })),
    ]
    return asked.flatMap(({ tally, of, who }) =>
      tally?.hasDrifted() === true ? [{ ...who, served: this.shown(tally, of) }] : [],
    )
  }

  private shown(tally: ServedTally, deployment: ModelDeployment): Served {
    return discreetServed(tally.result(), identityOf(deployment).modelString, this.target.spec.benchmark)
  }

  usage(): UsageWithJudges {
    return {
      ...this.own.result(),
      judges: Object.fromEntries(
        this.target.judges.flatMap(({ judge, deployment }, index) => {
          const tally = this.judges[index]
          return tally === undefined ? [] : [[judge.name, { deployment: deployment.name, ...tally.result() }]]
        }),
      ),
    }
  }

  private addReplies({ completion, judgements }: RequestResult): void {
    for (const [index, tally] of this.judges.entries()) {
      for (const reply of judgements[index]?.completions ?? []) {
        tally.add(reply)
        this.judgesServed[index]?.add(reply)
      }
    }
    if (completion === undefined) return
    this.own.add(completion)
    this.ownServed.add(completion)
  }
}
