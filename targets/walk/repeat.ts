import type { Access, Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { strip } from '../../benchmarks/python/text.ts'
import type { Digest } from '../../cache/digest.ts'
import type { Failure } from '../../cache/outcome.ts'
import type { CompletionRequest } from '../../models/clients/client.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import { judgeScores } from '../jury/judge-scores.ts'
import { parseReply } from '../jury/parse-reply.ts'
import type { Verdict } from '../jury/repeats.ts'
import { dialectOf } from '../profile.ts'
import type { Target } from '../record/target.ts'
import { discreetDetail } from '../access/discreet-failure.ts'
import { envFor } from '../access/restricted-env.ts'
import { createAsker, type Asked } from '../stages/ask.ts'
import type { StageEnv } from '../stages/env.ts'
import { JUDGE_LIMITS, judgeRequest, juryPrompt } from '../stages/jury-annotator.ts'
import { answerOf, createReplyReader, type ReplyReader } from '../stages/reply-reader.ts'

/** What became of one asking: a verdict, a reply that could not be read, or no reply at all. */
export interface Repeat {
  readonly verdict: Verdict
  /** Why no reply came; it may come on a rerun. */
  readonly failure?: Failure
}

/** One judge of a benchmark, asked the same several times. */
export interface RepeatedJudge {
  readonly name: string
  /** Calls still to be made: replies that are not in the store yet. None of an embedded model. */
  missing(instance: Instance, answer: string, repeats: number): readonly Digest<'completion'>[]
  /** By repeat. The first is the run's own judgement. */
  ask(instance: Instance, answer: string, repeats: number): Promise<readonly Repeat[]>
}

/** Whether a jury is asked about an answer: one of blanks only has nothing to judge. */
export const isJudged = (answer: string): boolean => strip(answer) !== ''

/** The judges of a target. Repeats differ in their sample index alone, so each is kept and paid for once. */
export const repeatedJudges = async (
  { spec, judges }: Target,
  jury: Jury,
  shared: StageEnv,
): Promise<readonly RepeatedJudge[]> => {
  const env = await envFor(spec.benchmark, shared)
  return Promise.all(
    judges.map(async ({ judge, deployment }): Promise<RepeatedJudge> => {
      const asker = createAsker(deployment, { ...spec, judge: judge.name }, env)
      const reader = await createReplyReader(deployment, JUDGE_LIMITS, env)
      return {
        name: judge.name,
        missing: (instance, answer, repeats) => {
          if (identityOf(deployment).protocol !== 'chat') return []
          const peeked = requests(jury, instance, answer, repeats).map((request) => asker.peek(request))
          return peeked.flatMap(({ completion, digest }) => (completion === undefined ? [digest] : []))
        },
        ask: async (instance, answer, repeats) =>
          Promise.all(
            requests(jury, instance, answer, repeats).map(async (request) =>
              repeatOf(await asker.ask(request), { jury, reader, env, access: spec.benchmark.access }),
            ),
          ),
      }
    }),
  )
}

const requests = (
  jury: Jury,
  instance: Instance,
  answer: string,
  repeats: number,
): readonly CompletionRequest[] => {
  const first = judgeRequest(juryPrompt(jury, instance, answer))
  return Array.from({ length: repeats }, (_, sampleIndex) => ({ ...first, sampleIndex }))
}

interface Reading {
  readonly jury: Jury
  readonly reader: ReplyReader
  readonly env: StageEnv
  readonly access: Access
}

const repeatOf = ({ outcome }: Asked, { jury, reader, env, access }: Reading): Repeat => {
  if (outcome.kind === 'failed')
    return {
      verdict: undefined,
      failure: { ...outcome.cause, detail: discreetDetail(outcome.cause, access) },
    }
  const read = outcome.kind === 'done' ? reader.read(outcome.value, false) : outcome
  if (read.kind !== 'done') return { verdict: undefined }
  const { required, scores } = dialectOf(env.profile)
  const parsed = parseReply(answerOf(read), jury.criteria, required)
  if (parsed.kind !== 'done' || !(parsed.value instanceof Map)) return { verdict: undefined }
  const numbers = judgeScores(parsed.value, scores)
  if (numbers.kind !== 'done' || numbers.value.length === 0) return { verdict: undefined }
  return {
    verdict: new Map([...parsed.value.keys()].map((name, index) => [name, numbers.value[index] ?? NaN])),
  }
}
