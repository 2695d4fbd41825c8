import { join } from 'node:path'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { Access, Benchmark, Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { openStore } from '../../cache/open-store.ts'
import type { Store } from '../../cache/store.ts'
import { Availability } from '../../models/retry.ts'
import type { Client, CompletionRequest, Reply } from '../../models/calls/client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { Limiter } from '../../models/limits/limiter.ts'
import type { SharedEnv } from '../../targets/env/env.ts'
import type { Event } from '../../targets/event.ts'
import { basicGeneration } from '../../targets/metrics/basic-generation.ts'
import { llmJury } from '../../targets/metrics/llm-jury.ts'
import { metricObject } from '../../targets/metrics/metric.ts'
import type { Target } from '../../targets/record/target.ts'
import { afterFile } from './after-file.ts'
import { deploymentOf } from './model-calls.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The program's own store in a folder of its own, closed after the test file. */
export const realStore = async (path = join(temporaryFolder(), 'store')): Promise<Store> => {
  const store = await openStore({ path, onEvent: () => undefined })
  afterFile(() => store.close())
  return store
}

export const textReply = (text: string): Reply => ({
  choices: [{ text, finishReason: 'stop' }],
  usage: { inputTokens: 7, outputTokens: 3 },
})

/** What a request asks, as text. */
export const askedText = ({ messages }: CompletionRequest): string =>
  messages.map(({ content }) => content).join('\n')

export interface MadeUpRun {
  readonly env: SharedEnv
  readonly vault: Store
  readonly events: readonly Event[]
  /** `deployment: text` of every request that reached the client, oldest first. */
  readonly asked: string[]
  /** No new work is begun. */
  readonly stop: () => void
}

/** An environment without files and net: real stores, and a client at 127.0.0.1 that counts. */
export const madeUpRun = async (
  answer: (request: CompletionRequest, deployment: string) => Reply | Promise<Reply>,
  { records, vault: given, more = {} }: { records?: Store; vault?: Store; more?: Partial<SharedEnv> } = {},
): Promise<MadeUpRun> => {
  const store = records ?? (await realStore())
  const vault = given ?? (await realStore())
  const events: Event[] = []
  const asked: string[] = []
  const stop = new AbortController()
  const [limiter, availability] = [new Limiter({}), new Availability()]
  const clientOf = ({ name }: ModelDeployment): Client => ({
    local: false,
    server: { host: '127.0.0.1', address: '127.0.0.1:1', isEncrypted: false },
    complete: async (request) => {
      asked.push(`${name}: ${askedText(request)}`)
      return answer(request, name)
    },
  })
  const env: SharedEnv = {
    profile: 'helm-0.5.16',
    records: store,
    open: { store },
    restricted: async () => ({ store: vault }),
    listener: (event) => void events.push(event),
    client: async (deployment) => clientOf(deployment),
    limiter: () => limiter,
    availability: () => availability,
    endpoint: () => ({ kind: 'server', host: '127.0.0.1', address: '127.0.0.1:1', isEncrypted: false }),
    tokenizer: async () => undefined,
    sqlBox: () => {
      throw new Error('there is no database')
    },
    spending: {
      run: 'made-up',
      priceOf: () => undefined,
      reserve: async () => ({ bound: null, ceiling: null, settle: () => undefined }),
      mayBegin: async () => true,
    },
    retry: { attempts: 1, rejections: 1, longestDrought: 1, base: 1, longest: 1, longestRetryAfter: 1 },
    stop: stop.signal,
    abort: new AbortController().signal,
    random: () => 0.5,
    now: () => 0,
    clock: () => 0,
    ...more,
  }
  return { env, vault, events, asked, stop: () => stop.abort() }
}

export const madeUpDeployment = (name: string): ModelDeployment =>
  deploymentOf('medmake.chat', { base_url: 'http://127.0.0.1:1/v1' }, { name, modelName: name })

/** Instances whose text and one correct reference are these, numbered as HELM does. */
export const madeUpInstances = (rows: readonly (readonly [text: string, truth: string])[]): Instance[] =>
  rows.map(([text, truth], index) => ({
    id: `id${index}`,
    input: { text },
    references: [{ text: truth, tags: ['correct'] }],
    split: 'test',
  }))

export interface MadeUpTarget {
  readonly instances: readonly Instance[]
  readonly access?: Access
  readonly judges?: readonly string[]
  readonly model?: string
  readonly adapter?: Partial<AdapterSpec>
  readonly benchmark?: Partial<Benchmark>
}

const JURY: Omit<Jury, 'judges'> = {
  annotator: 'letters',
  template: 'Of {QUESTION}, with {GOLD_RESPONSE} true, is {RESPONSE} right?',
  criteria: new Map([['accuracy', ['score']]]),
  scale: { least: 1, most: 5 },
}

/** A target that asks for exact matches, and judges where any are named. Its instances' key is their text. */
export const madeUpTarget = ({
  instances,
  access = 'public',
  judges = [],
  model = 'm/a',
  adapter: changed = {},
  benchmark: more = {},
}: MadeUpTarget): Target => {
  const adapter: AdapterSpec = {
    ...ADAPTER_DEFAULTS,
    method: 'generation',
    maxTrainInstances: 0,
    numOutputs: 1,
    maxTokens: 5,
    model,
    modelDeployment: model,
    ...changed,
  }
  const named = judges.map((name) => ({ name, model: name, deployment: `j/${name}` }))
  const jury: Jury = { ...JURY, judges: named }
  const exact = metricObject(basicGeneration, { names: ['exact_match'] })
  const judged = metricObject(llmJury, {
    metric_name: 'letters_accuracy',
    scenario_name: jury.annotator,
    annotator_models: new Map(named.map(({ name }) => [name, new Map()])),
    default_score: 1,
  })
  const benchmark: Benchmark = {
    name: 'letters',
    runName: 'letters',
    displayName: 'Letters',
    description: 'Made up.',
    access,
    scenario: {
      spec: { className: 'Letters', args: new Map() },
      name: 'letters',
      description: '',
      tags: [],
      definitionPath: '',
    },
    adapter,
    metrics: judges.length === 0 ? [exact] : [exact, judged],
    ...(judges.length === 0 ? {} : { jury }),
    groups: ['letters'],
    mainMetric: { name: 'exact_match', split: 'test' },
    files: [],
    identity: async () => ({ benchmark: 'letters', rows: JSON.stringify(instances) }),
    instances: async function* () {
      yield* instances
    },
    ...more,
  }
  return {
    spec: {
      name: `letters:model=${model.replace('/', '_')}`,
      benchmark,
      adapter,
      metrics: benchmark.metrics,
      groups: benchmark.groups,
    },
    deployment: madeUpDeployment(model),
    judges: named.map((judge) => ({ judge, deployment: madeUpDeployment(judge.deployment) })),
  }
}
