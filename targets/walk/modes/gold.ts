import { inputText, type Instance } from '../../../benchmarks/scenario/instance.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { Failure } from '../../../cache/problems/problem.ts'
import { discreetDetail } from '../../access/discreet-texts.ts'
import { envFor, type SharedEnv } from '../../env/env.ts'
import { goldOf, goldPrompt, readGoldReply } from '../../jury/gold-check.ts'
import type { Target } from '../../record/target.ts'
import { createAsker } from '../../stages/ask.ts'
import { JUDGE_LIMITS, judgeRequest } from '../../stages/judge.ts'
import { answerOf, createReplyReader } from '../../stages/reply-reader.ts'
import { isRemote } from '../../../models/clients/create-client.ts'

/** What a judge says of a reference: undefined verdict for a reply that says nothing, a failure where none came. */
interface GoldVerdict {
  readonly isReasonable: boolean | undefined
  readonly failure?: Failure
}

/** A judge that is asked about references. An instance without one is not asked about. */
export interface GoldJudge {
  readonly name: string
  /** The call still to be made; undefined for none. */
  missing(instance: Instance): Digest<'completion'> | undefined
  /** Undefined for an instance without a reference. */
  ask(instance: Instance): Promise<GoldVerdict | undefined>
}

/** One of a target's judges, asked about references: each reply is kept and paid for once. */
export const goldJudge = async (target: Target, name: string, shared: SharedEnv): Promise<GoldJudge> => {
  const { spec, judges } = target
  const found = judges.find(({ judge }) => judge.name === name)
  if (found === undefined) throw new RangeError(`${spec.name} has no judge ${name}`)
  const { deployment } = found
  const env = await envFor(spec.benchmark, shared)
  const asker = createAsker(deployment, { ...spec, judge: name }, env)
  const reader = await createReplyReader(deployment, JUDGE_LIMITS, env)
  const isAsked = isRemote(deployment)
  const requestOf = (instance: Instance) => {
    const gold = goldOf(instance)
    return gold === undefined ? undefined : judgeRequest(goldPrompt(inputText(instance), gold))
  }
  return {
    name,
    missing: (instance) => {
      const request = isAsked ? requestOf(instance) : undefined
      const peeked = request && asker.peek(request)
      return peeked === undefined || peeked.completion !== undefined ? undefined : peeked.digest
    },
    ask: async (instance) => {
      const request = requestOf(instance)
      if (request === undefined) return undefined
      const { outcome } = await asker.ask(request)
      if (outcome.kind === 'failed')
        return {
          isReasonable: undefined,
          failure: { ...outcome.cause, detail: discreetDetail(outcome.cause, spec.benchmark.access) },
        }
      const read = outcome.kind === 'done' ? reader.read(outcome.value, false) : undefined
      return { isReasonable: read?.kind === 'done' ? readGoldReply(answerOf(read)) : undefined }
    },
  }
}
