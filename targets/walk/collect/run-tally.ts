import { identityOf } from '../../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { discreetServed, type Drift, type Served } from '../../record/drift.ts'
import type { StageName } from '../../event.ts'
import {
  addCauses,
  type Cause,
  type Causes,
  type Coverage,
  type JudgementCount,
} from '../../record/coverage.ts'
import type { RunFailure, RunRecord } from '../../record/record.ts'
import type { Target } from '../../record/target.ts'
import type { UsageWithJudges } from '../../record/usage.ts'
import { placedFailure, type RequestAt, type RequestResult } from '../request.ts'
import type { RequestReading } from './read-request.ts'
import { ReplyTally } from './reply-tally.ts'

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
