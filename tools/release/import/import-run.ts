import { asJson } from '../../../cache/stored-shape.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import { numberOf } from '../../../benchmarks/python/numbers/number.ts'
import { isDict } from '../../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { canonicalJson } from '../../../cache/values/digest.ts'
import type { Json } from '../../../cache/values/json.ts'
import type { Judge, ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { Store } from '../../../cache/store.ts'
import type { CompletionRequest, Reply } from '../../../models/calls/client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { identityOf } from '../../../models/clients/create-client.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { completionRequest } from '../../../targets/adapters/prompt.ts'
import type { StoredCompletion } from '../../../targets/record/completion.ts'
import { completionPlace } from '../../../targets/stages/ask.ts'
import { judgeRequest } from '../../../targets/stages/judge.ts'
import { readRequestStates, readRunSpec } from '../../helm/read-run.ts'
import { REDACTED } from '../../helm/redacted.ts'
import type { HelmRunSpec } from '../../helm/forms/run-spec.ts'
import type { HelmRequestState, FullResult } from '../../helm/forms/request-state.ts'
import { placeholderDeployment } from '../replay/released-target.ts'

export interface Imported {
  readonly name: string
  /** Answers of the model and of judges that the cache now has, and those it had before. */
  readonly completions: number
  readonly judgements: number
  readonly known: number
  /** Why others could not be taken, each reason once. */
  readonly skipped: ReadonlyMap<string, number>
}

interface ImportOptions {
  readonly registry: ModelRegistry
  readonly store: Store
  /** Judges by the names that annotations carry, where a run does not name them itself. */
  readonly judges: readonly Judge[]
}

/**
 * Puts the answers and judge replies of a run of HELM's into the cache, under the keys that asking for them would use.
 * What the cache has already stays.
 */
export const importRun = async (directory: string, options: ImportOptions): Promise<Imported> => {
  const spec = await readRunSpec(directory)
  const tally = new Tally(spec.name)
  const judges = new Map([
    ...options.judges.map((judge) => [judge.name, judge] as const),
    ...judgesIn(spec).map((judge) => [judge.name, judge] as const),
  ])
  for await (const state of readRequestStates(directory)) {
    await importCompletion(state, options, tally)
    for (const [, annotation] of state.annotations ?? [])
      if (isDict(annotation)) await importJudgements(annotation, judges, { state, options, tally })
  }
  return tally
}

class Tally implements Imported {
  readonly name: string
  readonly skipped = new Map<string, number>()
  completions = 0
  judgements = 0
  known = 0

  constructor(name: string) {
    this.name = name
  }

  skip(reason: string): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1)
  }
}

/** The judges that a run names itself, each once. */
export const judgesIn = ({ metricSpecs, annotators = [] }: HelmRunSpec): readonly Judge[] => [
  ...new Map([...metricSpecs, ...annotators].flatMap(namedJudges)).values(),
]

/** Their order and names decide neither what they are asked nor the key of a reply. */
export const sameJudges = (some: readonly Judge[], others: readonly Judge[]): boolean => {
  const [one, other] = [some, others].map((judges) =>
    judges
      .map(({ deployment }) => deployment)
      .toSorted()
      .join(),
  )
  return one === other
}

/** `annotator_models` of a metric's or annotator's arguments. */
const namedJudges = ({ args }: ObjectSpec): readonly (readonly [string, Judge])[] => {
  const models = args.get('annotator_models')
  if (!isDict(models)) return []
  return [...models].flatMap(([name, value]) => {
    if (!isDict(value)) return []
    const [model, deployment] = [value.get('model_name'), value.get('model_deployment')]
    return typeof model === 'string' && typeof deployment === 'string'
      ? [[name, { name, model, deployment }] as const]
      : []
  })
}

/** The declared deployment of that name, else one that stands for it. */
const deploymentOf = (name: string, model: string, registry: ModelRegistry): ModelDeployment => {
  const declared = registry.deployment(name)
  const placeholder = placeholderDeployment(
    { deployment: name, modelString: model.split('/').at(-1) ?? model, protocol: 'chat', tokenizer: null },
    model,
  )
  if (declared === undefined) return placeholder
  try {
    identityOf(declared)
    return declared
  } catch (error) {
    // Declared with a client that we lack: it can't be called here, but its replies can be had.
    if (error instanceof ProblemError) return placeholder
    throw error
  }
}

const importCompletion = async (
  { request, result }: HelmRequestState,
  { registry, store }: ImportOptions,
  tally: Tally,
): Promise<void> => {
  const reason = whyNot(request, result)
  if (reason !== undefined || result === undefined) return tally.skip(reason ?? 'a request has no result')
  const name = request.modelDeployment === '' ? request.model : request.modelDeployment
  const deployment = deploymentOf(name, request.model, registry)
  const [asked, reply] = [completionRequest(request), replyOf(result)]
  if (!areTexts([asJson(asked), asJson(reply)])) return tally.skip(HALF)
  const kept = await keep(deployment, asked, { reply, result, store })
  if (kept) tally.completions += 1
  else tally.known += 1
}

/** Python writes an emoji that was cut in two; no key and no result can be made of it. */
const HALF = 'a text holds half of a surrogate pair'

const areTexts = (value: Json): boolean => {
  try {
    canonicalJson(value)
    return true
  } catch {
    return false
  }
}

/** Requests of other kinds have no key here: their answers would be taken for those of plain requests. */
const whyNot = (
  {
    prompt,
    messages,
    multimodalPrompt,
    topP,
    presencePenalty,
    frequencyPenalty,
    echoPrompt,
    embedding,
    temperature,
    random,
    numCompletions,
  }: HelmRequestState['request'],
  result: FullResult | undefined,
): string | undefined => {
  if (result?.success !== true || result.completions.length === 0) return 'a request has no answer'
  // Under a mark's key every question would have the first one's answer.
  if ([prompt, ...result.completions.map(({ text }) => text)].includes(REDACTED))
    return 'a prompt or an answer is redacted'
  // As of a server's answer: too few are no sample of what was asked for.
  if (result.completions.length !== numCompletions)
    return 'a request has another number of answers than it asked for'
  if (!numbersOf(result).every(Number.isFinite))
    return 'an answer has a time or log probability that is no number'
  if (multimodalPrompt !== undefined || messages?.some(isNoText) === true) return 'a request has images'
  if (echoPrompt === true || embedding === true) return 'a request is no plain completion'
  // Samples of one prompt are told apart by their number.
  if (random !== undefined && !/^\d{1,9}$/.test(random)) return 'a request is a sample without a number'
  if (!Number.isFinite(numberOf(temperature))) return 'a request has no temperature'
  const plain =
    numberOf(topP ?? 1) === 1 && numberOf(presencePenalty ?? 0) === 0 && numberOf(frequencyPenalty ?? 0) === 0
  return plain ? undefined : 'a request sets top_p or penalties'
}

const numbersOf = ({ requestTime = 0, completions }: FullResult): readonly number[] => [
  requestTime,
  ...completions.flatMap(({ tokens }) => tokens.map(({ logprob }) => numberOf(logprob))),
]

const isNoText = (message: ReadonlyMap<string, PyValue>): boolean =>
  typeof message.get('role') !== 'string' || typeof message.get('content') !== 'string'

const replyOf = ({ completions }: FullResult): Reply => ({
  choices: completions.map(({ text, tokens, finishReason, thinking }) => ({
    text,
    finishReason: finishReason ?? null,
    ...(tokens.length === 0
      ? {}
      : { tokens: tokens.map((token) => ({ text: token.text, logprob: numberOf(token.logprob) })) }),
    ...(thinking === undefined ? {} : { thinking }),
  })),
})

const NO_JUDGES: ReadonlySet<string> = new Set(['prompt_text', 'empty_output_equivalence_judgement'])

interface Annotated {
  readonly state: HelmRequestState
  readonly options: ImportOptions
  readonly tally: Tally
}

/** HELM keeps the parsed object of a judge's reply, not its text: the object's JSON text stands for it. */
const importJudgements = async (
  annotation: ReadonlyMap<string, PyValue>,
  judges: ReadonlyMap<string, Judge>,
  { state, options: { registry, store }, tally }: Annotated,
): Promise<void> => {
  const prompt = annotation.get('prompt_text')
  if (typeof prompt !== 'string') {
    if (!annotation.has('prompt_text') && [...annotation.values()].some(isDict))
      tally.skip('judges graded single items, whose prompts the files do not hold')
    return
  }
  for (const [name, parsed] of annotation) {
    if (NO_JUDGES.has(name)) continue
    const judge = judges.get(name)
    if (prompt === REDACTED) tally.skip('a judge prompt is redacted')
    else if (judge === undefined) tally.skip(`nothing says which model the judge ${name} is`)
    else if (!isDict(parsed)) tally.skip(`a reply of ${name} is no object`)
    else if (!areTexts(prompt)) tally.skip(HALF)
    else {
      const reply = { choices: [{ text: dumps(parsed), finishReason: null }] }
      const deployment = deploymentOf(judge.deployment, judge.model, registry)
      const kept = await keep(deployment, judgeRequest(prompt), {
        reply,
        // When the judge was asked is not in the files; the answer's date is the nearest that is.
        result: { requestTime: 0, requestDatetime: state.result?.requestDatetime ?? 0 },
        store,
      })
      if (kept) tally.judgements += 1
      else tally.known += 1
    }
  }
}

/** @returns false when the cache had a reply to that request already */
const keep = async (
  deployment: ModelDeployment,
  request: CompletionRequest,
  {
    reply,
    result,
    store,
  }: {
    readonly reply: Reply
    readonly result: Pick<FullResult, 'requestTime' | 'requestDatetime'>
    readonly store: Store
  },
): Promise<boolean> => {
  const { digest, key } = completionPlace(deployment, request)
  if (store.has('completions', digest)) return false
  const stored: StoredCompletion = {
    key,
    reply,
    requestTime: result.requestTime ?? 0,
    requestDatetime: result.requestDatetime ?? 0,
    attempts: 0,
    imported: true,
  }
  await store.put('completions', digest, asJson(stored))
  return true
}
