import type { Jury, ItemGrading } from '../../benchmarks/scenario/benchmark.ts'
import { type Instance, inputText } from '../../benchmarks/scenario/instance.ts'
import { loads } from '../../benchmarks/python/json.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { digestOf, type Digest, keyTemplate, type KeyTemplate } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import { type Failure, type Outcome, ProblemError } from '../../cache/problems/problem.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { parseReply } from '../jury/judge-scores.ts'
import { judgementKey } from '../keys/keys.ts'
import { dialectOf } from '../profile.ts'
import type { Target } from '../record/target.ts'
import { createAsker, type Asker } from './ask.ts'
import type { StageEnv } from '../env/env.ts'
import { answerOf, createReplyReader, type ReplyReader } from './reply-reader.ts'
import { StringTemplateError, substituteTemplate } from '../../benchmarks/python/templates/format.ts'
import { strip } from '../../benchmarks/python/text.ts'
import type { Completion } from '../record/completion.ts'

/** One judge of a jury. Askings of one answer differ in their sample index alone; the run's own judgement is sample 0. */
interface OpenJudge {
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

/** What a judge may reply. */
export const JUDGE_LIMITS = { maxTokens: 4096, stopSequences: [] } as const

/** HELM's judge request: greedy, long, no stop sequence (HELM.md T11). */
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
    question: inputText(instance),
    response: answer,
    gold: instance.references[0]?.text ?? '',
  })

/** What a grader of one rubric item may reply, by style. */
export const GRADER_LIMITS = {
  'medhelm-0.8': JUDGE_LIMITS,
  'health-bench': { maxTokens: 2048, stopSequences: [] },
} as const satisfies Readonly<Record<ItemGrading['style'], unknown>>

/** As HealthBench's authors ask their grader: not greedily, and behind their system message (HELM.md T27). */
export const graderRequest = (prompt: string, style: ItemGrading['style']): CompletionRequest => {
  const request = judgeRequest(prompt)
  if (style === 'medhelm-0.8') return request
  return {
    ...request,
    messages: [{ role: 'system', content: 'You are a helpful assistant.' }, ...request.messages],
    temperature: 0.5,
    maxTokens: GRADER_LIMITS[style].maxTokens,
  }
}

/** What a judge is shown. */
interface Judged {
  /** The scenario's text: no instructions, no options. */
  readonly question: string
  /** The model's answer as it came. */
  readonly response: string
  /** Text of the first reference, `''` without one. */
  readonly gold: string
}

/**
 * Fills a rubric's {QUESTION}, {RESPONSE} and {GOLD_RESPONSE} (benchmarks/HELM.md B7). What is filled in is not
 * read again, so an answer that holds placeholders stays as it is.
 * @throws ProblemError `targets/bad-rubric` with line and column within the rubric
 */
export const judgePrompt = (rubric: string, { question, response, gold }: Judged): string => {
  try {
    return substituteTemplate(rubric, { QUESTION: question, RESPONSE: response, GOLD_RESPONSE: gold })
  } catch (cause) {
    if (!(cause instanceof StringTemplateError)) throw cause
    throw new ProblemError(
      {
        code: 'targets/bad-rubric',
        message: `the judge's rubric cannot be filled: ${cause.message}`,
        where: { line: cause.line, column: cause.column },
        remedy:
          'Write $$ for a dollar sign; use no placeholder but {QUESTION}, {RESPONSE} and {GOLD_RESPONSE}, ' +
          'and let no letter, digit or underscore follow one.',
      },
      { cause },
    )
  }
}

/** What one judge, or another annotator, made of one answer. */
export interface Judgement {
  readonly judge: string
  /**
   * done: the parsed reply, or what was computed; failed: no reply came or none that could be read, or what was
   * computed is not what HELM would have; absent: nothing to judge.
   */
  readonly outcome: Outcome<PyValue>
  /** A failure to get a reply can succeed on a rerun; an unreadable reply is final. */
  readonly retriable: boolean
  /** Key of the result in the store. */
  readonly digest?: Digest<'annotation'>
  /** The judge's replies; absent where nobody was asked. */
  readonly completions?: readonly Completion[]
  readonly cached: boolean
}

/** What the store has of a judgement. */
export interface PeekedJudgement {
  /** False where annotating would ask or compute: true where there is nothing to judge, too. */
  readonly isKnown: boolean
  /** As `Judgement` has it; absent where it is not known, and where no reply can be read. */
  readonly digest?: Digest<'annotation'>
  /** Whether the result that the digest names is there. */
  readonly isStored: boolean
  /** The stored replies that it is read from; absent where nobody was asked. */
  readonly replies?: readonly Digest<'completion'>[]
}

/** What adds annotations to an answer: a jury, or the execution of queries. Each judgement is a column of the record. */
export interface Annotator {
  /** How many judgements `run` gives. */
  readonly columns: number
  run(instance: Instance, answer: string): Promise<readonly Judgement[]>
  /** Per column: what the store has of it. */
  peek(instance: Instance, answer: string): readonly PeekedJudgement[]
  /** Per column: the requests that are still to be made; all that are sure where the answer is not known yet. Absent:
   * nobody is asked. */
  missing?(instance: Instance, answer: string | undefined): readonly (readonly CompletionRequest[])[]
  /** HELM's annotations from stored results, in the columns' order; undefined digests are judges that dropped out. */
  assemble(
    instance: Instance,
    answer: string,
    digests: readonly (Digest<'annotation'> | undefined)[],
  ): ReadonlyMap<string, PyValue>
}

/** Whether a jury is asked about an answer: one of blanks only has nothing to judge. */
export const isJudged = (answer: string): boolean => strip(answer) !== ''

export const nothingToJudge = (judge: string): Judgement => ({
  judge,
  outcome: { kind: 'absent', reason: 'nothing to judge' },
  retriable: false,
  cached: true,
})
