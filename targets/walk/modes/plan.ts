import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { defined } from '../../../cache/values/defined.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import { overlayStore } from '../../../cache/memory-store.ts'
import { isRemote } from '../../../models/clients/create-client.ts'
import { STAGES, type StageName } from '../../event.ts'
import type { Target } from '../../record/target.ts'
import { annotationColumns } from '../../stages/annotations.ts'
import type { Annotator, PeekedJudgement } from '../../stages/judge.ts'
import { completionPlace } from '../../stages/ask.ts'
import { type StageEnv, layered } from '../../env/env.ts'
import { type Mode, type RequestAt, type RequestResult, walkRequest } from '../walk.ts'
import type { PlannedCall } from '../../spend/spending.ts'
import { withRun, openStages, type OpenRequests, type OpenStages } from '../run.ts'

interface StagePlan {
  /** Results to make; for annotations and metrics of answers that are not there yet, all of them. */
  readonly execute: number
  readonly cached: number
}

/** What building a target's record would take. */
export interface WorkPlan {
  readonly stages: Readonly<Record<StageName, StagePlan>>
  /** Requests that would reach a server: model's and judges', equal ones once. */
  readonly calls: number
}

export interface PlanOptions {
  /** Is given each request, as far as it would reach a server. */
  readonly onCall: (call: PlannedCall) => void
  /** Is given the stored replies of judges on servers to each answer that is there. */
  readonly onJudged?: (replies: readonly Digest<'completion'>[]) => void
}

/**
 * Finds out what would run. Reads data where the store lacks it; writes nothing, calls nothing.
 *
 * @param key of the instances
 */
export const planWork = (
  target: Target,
  key: JsonObject,
  env: StageEnv,
  options: PlanOptions,
): Promise<WorkPlan> => {
  const planning = layered(env, overlayStore)
  return withRun(target, key, planning, async (run) =>
    planRun(run, await openStages(target, planning), options),
  )
}

/** @throws LostValueError before `onCall` is given anything */
const planRun = async (run: OpenRequests, stages: OpenStages, options: PlanOptions): Promise<WorkPlan> => {
  if (run.list.cached) run.requireInstances()
  const tally = new PlanTally(stages, options)
  tally.add('instances', run.list.cached, run.evaluated.length)
  const mode = planMode(run, stages, tally)
  for (let row = 0; row < run.requests; row += 1) {
    const at = run.at(row)
    tally.finish(at, await walkRequest(at, stages, mode))
  }
  return tally.result()
}

/** What a target has whose record is there. */
export const nothingToDo = (counts: Readonly<Record<StageName, number>>): WorkPlan => {
  const stages = emptyStages()
  for (const stage of STAGES) stages[stage].cached = counts[stage]
  return { stages, calls: 0 }
}

/** Looks for every stage's result. Prompts are made, for a reply is found by its prompt; the overlay forgets them. */
const planMode = (
  run: OpenRequests,
  { asker, annotator, metrics, request }: OpenStages,
  tally: PlanTally,
): Mode => {
  // Requests are walked one after the other.
  let lacksJudgements = false
  return {
    prompt: async ({ trial, ref, instance }) => {
      const prompt = await run.prompts(trial).run({ digest: ref.digest, load: instance })
      tally.add('prompts', prompt.cached)
      return prompt
    },
    completion: (_, { prompt }) => {
      const asked = request(prompt)
      const { digest, completion } = asker.peek(asked)
      tally.add('completions', completion !== undefined)
      const isCut = prompt.truncated ? true : undefined
      tally.modelCall(defined({ request: asked, digest, completion, isCut }))
      return completion === undefined
        ? { outcome: { kind: 'absent', reason: 'not asked yet' }, cached: false }
        : { outcome: { kind: 'done', value: completion }, cached: true }
    },
    judgements: (at, answer) => {
      const found = annotator?.peek(at.instance(), answer) ?? []
      for (const { isKnown, digest, isStored } of found)
        if (!isKnown || digest !== undefined) tally.add('annotations', isStored)
      tally.judged(found)
      tally.judgeCalls(at.instance(), answer)
      lacksJudgements = found.some(({ isKnown }) => !isKnown)
      return found.map(({ isKnown, digest }) => ({
        judge: '',
        outcome: { kind: 'absent', reason: 'not read' },
        retriable: false,
        cached: isKnown,
        ...(digest === undefined ? {} : { digest }),
      }))
    },
    metrics: (_, digests) =>
      metrics.map((metric) => {
        const { digest, cached } = metric.peek(digests)
        // What hangs on a judgement that is still to come is under a name that nobody knows yet.
        const isOpen = lacksJudgements && metric.reads.includes('annotations')
        return { digest, cached: cached && !isOpen, points: [], failures: [] }
      }),
  }
}

type Stages = Record<StageName, { execute: number; cached: number }>

const emptyStages = (): Stages => ({
  instances: { execute: 0, cached: 0 },
  prompts: { execute: 0, cached: 0 },
  completions: { execute: 0, cached: 0 },
  annotations: { execute: 0, cached: 0 },
  metrics: { execute: 0, cached: 0 },
})

class PlanTally {
  private readonly target: Target
  private readonly stages = emptyStages()
  private readonly options: PlanOptions
  private readonly annotator: Annotator | undefined
  /** Calls by what tells them apart: equal requests share one. */
  private readonly calls = new Set<string>()
  /** The model's call of the request at hand. */
  private asked = ''

  constructor({ target, annotator }: OpenStages, options: PlanOptions) {
    this.target = target
    this.annotator = annotator
    this.options = options
  }

  add(stage: StageName, cached: boolean, count = 1): void {
    if (cached) this.stages[stage].cached += count
    else this.stages[stage].execute += count
  }

  modelCall(
    call: Pick<PlannedCall, 'request' | 'completion' | 'isCut'> & Required<Pick<PlannedCall, 'digest'>>,
  ): void {
    const { deployment } = this.target
    this.asked = call.digest
    if (!isRemote(deployment)) return
    if (call.completion === undefined) this.calls.add(call.digest)
    this.options.onCall({ target: this.target, judge: null, deployment, ...call })
  }

  judged(found: readonly PeekedJudgement[]): void {
    const paid = found.flatMap(({ replies = [] }, index) => {
      const judge = this.target.judges[index]
      return judge !== undefined && isRemote(judge.deployment) ? replies : []
    })
    this.options.onJudged?.(paid)
  }

  /** @param answer undefined where it is not known yet */
  judgeCalls(instance: Instance, answer: string | undefined): void {
    const missing = this.annotator?.missing?.(instance, answer) ?? []
    for (const [index, judge] of this.target.judges.entries()) {
      const { deployment } = judge
      if (!isRemote(deployment)) continue
      for (const request of missing[index] ?? []) {
        const { digest } = completionPlace(deployment, request)
        const place = answer === undefined ? { lacking: `${digest} ${this.asked}` } : { digest }
        this.calls.add(place.lacking ?? digest)
        this.options.onCall({ target: this.target, judge: judge.judge.name, deployment, request, ...place })
      }
    }
  }

  /** What follows from where a request's walk ended. */
  finish({ instance }: RequestAt, { completion, metrics }: RequestResult): void {
    if (completion === undefined) {
      this.add('annotations', false, annotationColumns(this.target))
      this.judgeCalls(instance(), undefined)
    }
    // A metric's values hang on everything before it; the store knows them by digests that a missing answer withholds.
    for (const index of this.target.spec.metrics.keys())
      this.add('metrics', metrics?.[index]?.cached === true)
  }

  result(): WorkPlan {
    return { stages: this.stages, calls: this.calls.size }
  }
}
