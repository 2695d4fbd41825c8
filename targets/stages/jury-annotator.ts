import type { Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { dumps, loads } from '../../benchmarks/python/json.ts'
import { strip } from '../../benchmarks/python/text.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { digestOf, type Digest } from '../../cache/digest.ts'
import type { Json, JsonObject } from '../../cache/json.ts'
import { keyTemplate } from '../../cache/key.ts'
import type { Failure, Outcome } from '../../cache/outcome.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import type { CompletionRequest } from '../../models/clients/client.ts'
import { annotationOf, emptyAnnotation } from '../jury/annotation.ts'
import { judgePrompt } from '../jury/judge-prompt.ts'
import { parseReply } from '../jury/parse-reply.ts'
import { dialectOf, type Profile } from '../profile.ts'
import type { Target } from '../record/target.ts'
import type { Annotator, Judgement } from './annotator.ts'
import { createAsker, type Asker } from './ask.ts'
import type { StageEnv } from './env.ts'
import { answerOf, createReplyReader, cuttingTokenizer, type ReplyReader } from './reply-reader.ts'
import { STAGE_VERSIONS } from '../keys/versions.ts'

/** What a judge may reply. */
export const JUDGE_LIMITS = { maxTokens: 4096, stopSequences: [] } as const

/** HELM's judge request: greedy, long, no stop sequence (helm-core.md §3.8). */
export const judgeRequest = (prompt: string): CompletionRequest => ({
  messages: [{ role: 'user', content: prompt }],
  temperature: 0,
  topP: 1,
  maxTokens: JUDGE_LIMITS.maxTokens,
  stop: JUDGE_LIMITS.stopSequences,
  n: 1,
  sampleIndex: 0,
})

/** What every judge of a jury is shown of an answer. */
export const juryPrompt = (jury: Jury, instance: Instance, answer: string): string =>
  judgePrompt(jury.template, {
    question: instance.input.text,
    response: answer,
    gold: instance.references[0]?.text ?? '',
  })

const criteriaKey = (jury: Jury): Json => [...jury.criteria].map(([name, keys]) => [name, [...keys]])

/** The jury as a part of a target's key; the judges' own keys hold what alters their replies. */
export const juryKey = (target: Target, profile: Profile): JsonObject | null => {
  const { jury } = target.spec.benchmark
  if (jury === undefined) return null
  return {
    stage: 'annotations',
    version: STAGE_VERSIONS.annotations,
    parser: dialectOf(profile).parser,
    rubric: digestOf<'text'>(jury.template),
    criteria: criteriaKey(jury),
    scale: [jury.scale.least, jury.scale.most],
    judges: target.judges.map(({ judge, deployment }) => ({
      name: judge.name,
      ...identityOf(deployment),
      ...cutKey(cuttingTokenizer(deployment, profile)),
    })),
  }
}

const cutKey = (tokenizer: string | undefined): JsonObject =>
  tokenizer === undefined ? {} : { cutBy: tokenizer }

/** The benchmark's jury; undefined where it has none. */
export const juryAnnotator = async (target: Target, env: StageEnv): Promise<Annotator | undefined> => {
  const { jury } = target.spec.benchmark
  if (jury === undefined) return undefined
  const key = keyTemplate<'reply', 'annotation'>(
    {
      stage: 'annotations',
      version: STAGE_VERSIONS.annotations,
      parser: dialectOf(env.profile).parser,
      criteria: criteriaKey(jury),
    },
    ['reply'],
  )
  const askers = await Promise.all(
    target.judges.map(async ({ judge, deployment }) => ({
      name: judge.name,
      asker: createAsker(deployment, { ...target.spec, judge: judge.name }, env),
      reader: await createReplyReader(deployment, JUDGE_LIMITS, env),
    })),
  )
  const promptOf = (instance: Instance, answer: string): string => juryPrompt(jury, instance, answer)
  return {
    columns: askers.length,
    run: async (instance, answer) => {
      if (strip(answer) === '') return askers.map(({ name }) => nothingToJudge(name))
      const request = judgeRequest(promptOf(instance, answer))
      return Promise.all(askers.map((judge) => judgeOnce({ ...judge, request, jury, key, env })))
    },
    peek: (instance, answer) => {
      if (strip(answer) === '') return []
      const request = judgeRequest(promptOf(instance, answer))
      return askers.map(({ asker }) => asker.peek(request).completion !== undefined)
    },
    assemble: (instance, answer, digests) => {
      if (strip(answer) === '') return new Map([[jury.annotator, emptyAnnotation()]])
      const judged = askers.flatMap(({ name }, index): [string, PyValue][] => {
        const digest = digests[index]
        const parsed = digest === undefined ? undefined : loadParsed(digest, env)
        return parsed?.kind === 'done' ? [[name, parsed.value]] : []
      })
      return new Map([[jury.annotator, annotationOf(promptOf(instance, answer), judged)]])
    },
  }
}

const nothingToJudge = (judge: string): Judgement => ({
  judge,
  outcome: { kind: 'absent', reason: 'empty answer' },
  retriable: false,
  cached: true,
})

interface Judging {
  readonly name: string
  readonly asker: Asker
  readonly reader: ReplyReader
  readonly request: CompletionRequest
  readonly jury: Jury
  readonly key: ReturnType<typeof keyTemplate<'reply', 'annotation'>>
  readonly env: StageEnv
}

const judgeOnce = async ({ name, asker, reader, request, jury, key, env }: Judging): Promise<Judgement> => {
  const asked = await asker.ask(request)
  if (asked.outcome.kind !== 'done')
    return { judge: name, outcome: asked.outcome, retriable: true, cached: false }
  const completion = asked.outcome.value
  const read = reader.read(completion, false)
  if (read.kind !== 'done')
    return { judge: name, outcome: read, retriable: false, completion, cached: asked.cached }
  const text = answerOf(read)
  const digest = key.digest({ reply: digestOf<'text'>(text) })
  const known = loadParsed(digest, env)
  if (known !== undefined)
    return { judge: name, outcome: known, retriable: false, digest, completion, cached: asked.cached }
  const outcome = parseReply(text, jury.criteria, dialectOf(env.profile).required)
  await env.store.put('annotations', digest, packParsed(outcome))
  return { judge: name, outcome, retriable: false, digest, completion, cached: false }
}

const packParsed = (outcome: Outcome<PyValue>): Json =>
  outcome.kind === 'done'
    ? { parsed: dumps(outcome.value) }
    : { cause: outcome.kind === 'failed' ? { ...outcome.cause } : { code: 'absent', detail: outcome.reason } }

const loadParsed = (digest: Digest<'annotation'>, env: StageEnv): Outcome<PyValue> | undefined => {
  const stored = env.store.get('annotations', digest) as { parsed?: string; cause?: Failure } | undefined
  if (stored?.parsed !== undefined) return { kind: 'done', value: loads(stored.parsed) }
  return stored?.cause === undefined ? undefined : { kind: 'failed', cause: stored.cause }
}
