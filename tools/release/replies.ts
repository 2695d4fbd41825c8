import { createReadStream, existsSync } from 'node:fs'
import { plain } from '../../cache/files/read.ts'
import { isDict } from '../../benchmarks/python/kinds.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { asJson } from '../../cache/stored-shape.ts'
import { digestJson } from '../../cache/values/digest.ts'
import { encodeJson } from '../../cache/values/encoded.ts'
import type { Json } from '../../cache/values/json.ts'
import type { Store } from '../../cache/store.ts'
import { completionRequest } from '../../targets/adapters/prompt.ts'
import type { RequestState } from '../../targets/record/request-state.ts'
import type { Target } from '../../targets/record/target.ts'
import { storedCompletion } from '../../targets/record/completion.ts'
import { completionPlace } from '../../targets/stages/ask.ts'
import { askings, type GradedJury } from '../../targets/stages/grading-annotator.ts'
import { judgeRequest } from '../../targets/stages/judge.ts'
import { badRelease } from './bad-release.ts'
import { replyFault } from './replay/reply-fault.ts'
import { reasonOf } from '../../cache/problems/problem.ts'

/** Keys of the replies that a request state stands on: the model's, then each judge's that was asked. */
const repliesOf = (
  { deployment, judges, spec }: Target,
  { request, annotations, instance, result }: RequestState,
): readonly string[] => {
  const { jury } = spec.benchmark
  const answer = result?.completions[0]?.text
  if (jury?.grading !== undefined)
    return [
      completionPlace(deployment, completionRequest(request)).digest,
      ...(answer === undefined
        ? []
        : itemReplies(judges, { ...jury, grading: jury.grading }, instance, answer)),
    ]
  const annotator = spec.benchmark.jury?.annotator
  const annotation = annotator === undefined ? undefined : annotations?.get(annotator)
  const prompt = isDict(annotation) ? annotation.get('prompt_text') : undefined
  return [
    completionPlace(deployment, completionRequest(request)).digest,
    ...(typeof prompt === 'string'
      ? judges.map((judge) => completionPlace(judge.deployment, judgeRequest(prompt)).digest)
      : []),
  ]
}

/** Keys of all that graders may have been asked of an answer: an item may have taken more than one asking. */
const itemReplies = (
  judges: Target['judges'],
  jury: GradedJury,
  instance: Instance,
  answer: string,
): readonly string[] =>
  judges.flatMap((judge) =>
    askings(jury, instance, answer).map((request) => completionPlace(judge.deployment, request).digest),
  )

/** Every stored reply that the states stand on, once, in the order in which they need them. */
const storedReplies = function* (
  target: Target,
  states: Iterable<RequestState>,
  store: Store,
): Generator<{ readonly digest: string; readonly stored: Json; readonly isAnswer: boolean }> {
  const seen = new Set<string>()
  for (const state of states)
    for (const [index, digest] of repliesOf(target, state).entries()) {
      if (seen.has(digest)) continue
      seen.add(digest)
      const stored = store.get('completions', digest)
      // A judge that gave no reply has none to release; a missing answer of the model is in the states already.
      if (stored !== undefined) yield { digest, stored, isAnswer: index === 0 }
    }
}

export const replyLines = function* (...from: Parameters<typeof storedReplies>): Generator<string> {
  for (const { digest, stored } of storedReplies(...from)) yield `${encodeJson({ digest, stored })}\n`
}

/** Replies of a run that were taken from published files, not asked for here. */
interface ImportedReplies {
  readonly answers: number
  readonly judgements: number
}

/** What replies tell of where they come from. */
export interface ReplyFacts {
  /** Undefined where each was asked for. */
  readonly imported: ImportedReplies | undefined
  /** Epoch seconds of the newest call, of judges as of the model; 0 where no server was called. */
  readonly newestCall: number
}

export const replyFacts = (...from: Parameters<typeof storedReplies>): ReplyFacts => {
  const count = { answers: 0, judgements: 0 }
  let newestCall = 0
  for (const { stored, isAnswer } of storedReplies(...from)) {
    const { imported, requestDatetime = 0 } = storedCompletion(stored) ?? {}
    if (imported === true) count[isAnswer ? 'answers' : 'judgements'] += 1
    newestCall = Math.max(newestCall, requestDatetime)
  }
  return { imported: count.answers + count.judgements === 0 ? undefined : count, newestCall }
}

/** As bytes: Node's own readers end lines, from 24 on, at U+2028 within a reply as well. */
async function* linesOf(file: string): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = []
  for await (const chunk of createReadStream(plain(file)) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)])
      parts = []
      from = end + 1
    }
    parts.push(chunk.subarray(from))
  }
  const last = Buffer.concat(parts)
  if (last.length > 0) yield last
}

/**
 * Puts the replies of a replies file into a store, each under the key that it tells itself.
 * @throws ProblemError `release/bad-replies`, and the store's own
 */
export const loadReplies = async (file: string, store: Pick<Store, 'put'>): Promise<number> => {
  if (!existsSync(file)) return 0
  let count = 0
  for await (const line of linesOf(file)) {
    count += 1
    let read: ReadLine
    try {
      read = readLine(line)
    } catch (cause) {
      throw badRelease(
        'release/bad-replies',
        `this line is no stored reply: ${reasonOf(cause)}`,
        { file, line: count },
        { cause },
      )
    }
    await store.put('completions', read.digest, read.stored)
  }
  return count
}

interface ReadLine {
  readonly digest: string
  readonly stored: Json
}

/** Lenient, it would put what nobody answered in the place of bytes that are no text. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** @throws Error for what is none, or under another key */
const readLine = (line: Buffer): ReadLine => {
  const read = JSON.parse(UTF8.decode(line)) as ReadLine & { readonly stored: { readonly key: Json } }
  const fault = replyFault(read.stored)
  if (fault !== undefined) throw new Error(fault)
  // Half a surrogate pair, or more than a number can hold, has no digest, and would end each run that asks for it.
  digestJson(read.stored)
  if (digestJson(read.stored.key) !== read.digest) throw new Error('its key is another')
  return read
}

/**
 * Puts those of them that a store lacks into it, as imported, under the keys that the release has them by: whole and
 * unread, where HELM's files hold what was made of them.
 *
 * @returns how many
 * @throws ProblemError `release/bad-replies`, and the store's own
 */
export const importReplies = async (file: string, store: Store): Promise<number> => {
  let added = 0
  await loadReplies(file, {
    put: async (table, id, value) => {
      const stored = storedCompletion(value)
      if (stored === undefined || store.has(table, id)) return
      added += 1
      await store.put(table, id, asJson({ ...stored, attempts: 0, imported: true }))
    },
  })
  return added
}
