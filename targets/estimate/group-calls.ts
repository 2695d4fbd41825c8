import { remembered } from '../../cache/once.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'
import { type PlannedCall, callPlace, outputBound, promptBytes, promptTokens } from '../spend/spending.ts'
import type { SpendSample } from './history.ts'

/** Calls that an estimate takes together: of one run, to its model or to one of its judges. */
export interface CallGroup {
  readonly target: string
  readonly benchmark: string
  /** Deployment that is evaluated. */
  readonly model: string
  /** Deployment that is asked. */
  readonly deployment: string
  readonly judge: string | null
  readonly calls: number
  /** UTF-8 bytes of the requests, without answers that are not known yet. */
  readonly promptBytes: number
  /** Tokens of these texts; null where the deployment's tokenizer is not at hand. */
  readonly counted: number | null
  /** The most output tokens of all calls. */
  readonly outputBound: number
  /** Requests to a judge that lack the answer they are about. */
  readonly withoutAnswer: number
  /** The most tokens of those answers. */
  readonly answerBound: number
  /** Prompts whose end is left out, as the deployment's window is too small for them. */
  readonly cut: number
}

/** What planning told of calls: those to be paid for in groups, and what stored replies took. */
interface CallGroups {
  /** @returns false for an equal one of before, whichever run's: it is the same call */
  add(call: PlannedCall): boolean
  /** By run as they were planned; a run's own answers before its judges'. */
  groups(): readonly CallGroup[]
  /** Of replies that were found and that `known` does not hold. */
  samples(): readonly SpendSample[]
  deployments(): ReadonlyMap<string, ModelDeployment>
}

type Sums = {
  -readonly [Field in keyof CallGroup]: CallGroup[Field]
}

/**
 * @param tokenizerOf of a deployment, opened before; undefined where it is not at hand
 * @param known replies that the history holds already
 */
export const createCallGroups = (
  tokenizerOf: (deployment: ModelDeployment) => Tokenizer | undefined,
  known: ReadonlySet<string>,
): CallGroups => {
  const groups = new Map<string, Sums>()
  const samples: SpendSample[] = []
  const deployments = new Map<string, ModelDeployment>()
  const seen = new Set<string>()
  const groupOf = (call: PlannedCall): Sums =>
    remembered(groups, JSON.stringify([call.target.spec.name, call.judge]), () => emptyGroup(call))
  return {
    add: (call) => {
      const { deployment, request, digest, completion, judge, target } = call
      const place = callPlace(call)
      if (place !== undefined) {
        if (seen.has(place)) return false
        seen.add(place)
      }
      deployments.set(deployment.name, deployment)
      if (completion !== undefined) {
        if (!known.has(completion.digest)) samples.push(...sampleOf(call))
        return true
      }
      const group = groupOf(call)
      const tokenizer = tokenizerOf(deployment)
      group.calls += 1
      group.promptBytes += promptBytes(request)
      group.counted =
        tokenizer === undefined || group.counted === null
          ? null
          : group.counted + promptTokens(request, tokenizer)
      group.outputBound += outputBound(request, deployment)
      if (call.isCut === true) group.cut += 1
      if (digest === undefined && judge !== null) {
        group.withoutAnswer += 1
        group.answerBound += outputBound(
          { maxTokens: target.spec.adapter.maxTokens, n: 1 },
          target.deployment,
        )
      }
      return true
    },
    groups: () => [...groups.values()],
    samples: () => samples,
    deployments: () => deployments,
  }
}

const emptyGroup = ({ target, judge, deployment }: PlannedCall): Sums => ({
  target: target.spec.name,
  benchmark: target.spec.benchmark.name,
  model: target.spec.adapter.modelDeployment,
  deployment: deployment.name,
  judge,
  calls: 0,
  promptBytes: 0,
  counted: 0,
  outputBound: 0,
  withoutAnswer: 0,
  answerBound: 0,
  cut: 0,
})

const sampleOf = ({
  target,
  judge,
  deployment,
  request,
  completion,
}: PlannedCall): readonly SpendSample[] => {
  const usage = completion?.stored.reply.usage
  if (completion === undefined || usage === undefined) return []
  return [
    {
      deployment: deployment.name,
      benchmark: target.spec.benchmark.name,
      judged: judge !== null,
      promptBytes: promptBytes(request),
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      seconds: completion.stored.requestTime,
      overran: usage.outputTokens > outputBound(request, deployment),
    },
  ]
}
