import type { Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { dumps, loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { digestOf, type Digest } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import { keyTemplate, type KeyTemplate } from '../../cache/values/key.ts'
import type { Failure, Outcome } from '../../cache/outcome.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { parseReply } from '../jury/parse-reply.ts'
import { judgementKey } from '../keys/annotation-key.ts'
import { dialectOf } from '../profile.ts'
import type { Target } from '../record/target.ts'
import type { Judgement, PeekedJudgement } from './annotator.ts'
import { createAsker, type Asker } from './ask.ts'
import type { StageEnv } from '../env/env.ts'
import { JUDGE_LIMITS, judgeRequest, juryPrompt } from './judge-request.ts'
import { answerOf, createReplyReader, type ReplyReader } from './reply-reader.ts'

/** One judge of a jury. Askings of one answer differ in their sample index alone; the run's own judgement is sample 0. */
export interface OpenJudge {
  readonly name: string
  readonly ask: (instance: Instance, answer: string, sampleIndex?: number) => Promise<Judgement>
  /** Its reply's place in the store, and whether one is there. */
  readonly peek: (
    instance: Instance,
    answer: string,
    sampleIndex?: number,
  ) => { readonly digest: Digest<'completion'>; readonly cached: boolean }
  /** Whether the reply is there, and what its judgement is called. */
  readonly peekJudgement: (instance: Instance, answer: string) => PeekedJudgement
  /** A judgement read back; undefined where the store lacks it. */
  readonly load: (digest: Digest<'annotation'>) => Outcome<PyValue> | undefined
}

export const openJudges = async (
  { spec, judges }: Target,
  jury: Jury,
  env: StageEnv,
): Promise<readonly OpenJudge[]> => {
  const key = keyTemplate<'reply', 'annotation'>(judgementKey(jury, env.profile), ['reply'])
  const shown = shownOnce(jury)
  return Promise.all(
    judges.map(async ({ judge: { name }, deployment }): Promise<OpenJudge> => {
      const asker = createAsker(deployment, { ...spec, judge: name }, env)
      const reader = await createReplyReader(deployment, JUDGE_LIMITS, env)
      const request = (instance: Instance, answer: string, sampleIndex: number): CompletionRequest => {
        const first = shown(instance, answer)
        return sampleIndex === 0 ? first : { ...first, sampleIndex }
      }
      return {
        name,
        ask: async (instance, answer, sampleIndex = 0) => {
          const asked = await asker.ask(request(instance, answer, sampleIndex))
          return judgementOf(asked, { name, reader, jury, key, env })
        },
        peek: (instance, answer, sampleIndex = 0) => {
          const { digest, completion } = asker.peek(request(instance, answer, sampleIndex))
          return { digest, cached: completion !== undefined }
        },
        peekJudgement: (instance, answer) => {
          const { completion } = asker.peek(request(instance, answer, 0))
          if (completion === undefined) return { isKnown: false, isStored: false }
          const replies = [completion.digest]
          const read = reader.read(completion, false)
          if (read.kind !== 'done') return { isKnown: true, isStored: false, replies }
          const digest = judgementDigest(key, answerOf(read))
          return { isKnown: true, digest, isStored: env.store.has('annotations', digest), replies }
        },
        load: (digest) => loadParsed(digest, env),
      }
    }),
  )
}

/** All judges are asked the same of an answer: the request is made for the first. */
const shownOnce = (jury: Jury): ((instance: Instance, answer: string) => CompletionRequest) => {
  const made = new WeakMap<Instance, { readonly answer: string; readonly request: CompletionRequest }>()
  return (instance, answer) => {
    const known = made.get(instance)
    if (known?.answer === answer) return known.request
    const request = judgeRequest(juryPrompt(jury, instance, answer))
    made.set(instance, { answer, request })
    return request
  }
}

interface Reading {
  readonly name: string
  readonly reader: ReplyReader
  readonly jury: Jury
  readonly key: KeyTemplate<'reply', 'annotation'>
  readonly env: StageEnv
}

const judgementOf = async (
  { outcome: reply, cached }: Awaited<ReturnType<Asker['ask']>>,
  { name, reader, jury, key, env }: Reading,
): Promise<Judgement> => {
  if (reply.kind !== 'done')
    return { judge: name, outcome: reply, retriable: true, completions: [], cached: false }
  const completion = reply.value
  const read = reader.read(completion, false)
  if (read.kind !== 'done')
    return { judge: name, outcome: read, retriable: false, completions: [completion], cached }
  const text = answerOf(read)
  const digest = judgementDigest(key, text)
  const known = loadParsed(digest, env)
  if (known !== undefined)
    return { judge: name, outcome: known, retriable: false, digest, completions: [completion], cached }
  const outcome = parseReply(text, jury.criteria, dialectOf(env.profile).required)
  await env.store.put('annotations', digest, packParsed(outcome))
  return { judge: name, outcome, retriable: false, digest, completions: [completion], cached: false }
}

const judgementDigest = (key: Reading['key'], reply: string): Digest<'annotation'> =>
  key.digest({ reply: digestOf<'text'>(reply) })

/** A parsed reply, or why there is none, as the store keeps it. */
export const packParsed = (outcome: Outcome<PyValue>): Json =>
  outcome.kind === 'done'
    ? { parsed: dumps(outcome.value) }
    : { cause: outcome.kind === 'failed' ? { ...outcome.cause } : { code: 'absent', detail: outcome.reason } }

export const loadParsed = (
  digest: Digest<'annotation'>,
  env: Pick<StageEnv, 'store'>,
): Outcome<PyValue> | undefined => {
  const stored = env.store.get('annotations', digest) as { parsed?: string; cause?: Failure } | undefined
  if (stored?.parsed !== undefined) return { kind: 'done', value: loads(stored.parsed) }
  return stored?.cause === undefined ? undefined : { kind: 'failed', cause: stored.cause }
}
