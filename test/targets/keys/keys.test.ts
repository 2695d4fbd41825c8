import { describe, expect, test } from 'vitest'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import type { MetricCode } from '../../../benchmarks/scenario/metric-code.ts'
import { digestJson, digestOf, type Digest } from '../../../cache/values/digest.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { GRADING_VERSION } from '../../../targets/jury/grading/read-grade.ts'
import {
  annotationKey,
  gradingKey,
  queryKey,
  completionKey,
  completionParts,
  metricKey,
  windowKey,
  cuttingTokenizer,
  STAGE_VERSIONS,
  declarationKey,
  targetKey,
} from '../../../targets/keys/keys.ts'
import type { Metric } from '../../../targets/metrics/metric.ts'
import type { Target } from '../../../targets/record/target.ts'
import { deploymentOf } from '../../rig/model-calls.ts'

const HELM = 'helm-0.5.16'
const LIVE = 'medhelm-0.8'

const deployment = deploymentOf(
  'medmake.chat',
  { base_url: 'http://127.0.0.1:1/v1' },
  { name: 'd/m', modelName: 'd/m' },
)
const adapter: AdapterSpec = { ...ADAPTER_DEFAULTS, method: 'generation', model: 'm', modelDeployment: 'd/m' }
const jury: Jury = {
  annotator: 'answers',
  template: 'Judge {RESPONSE}',
  criteria: new Map([
    ['accuracy', ['score', 'explanation']],
    ['clarity', ['score']],
  ]),
  scale: { least: 1, most: 5 },
  judges: [],
}
const files = { digest: 'f'.repeat(64) as Digest<'data'> } as NonNullable<ModelDeployment['tokenizerFiles']>
const judge = { name: 'strict' } as Jury['judges'][number]

const targetOf = (
  benchmark: Partial<Benchmark>,
  {
    asked = deployment,
    judges = [],
    adapter: changed = {},
  }: {
    readonly asked?: ModelDeployment
    readonly judges?: Target['judges']
    readonly adapter?: Partial<AdapterSpec>
  } = {},
): Target => ({
  spec: {
    name: 'answers:model=m',
    benchmark: { access: 'public', identity: async () => ({ name: 'answers' }), ...benchmark } as Benchmark,
    adapter: { ...adapter, ...changed },
    metrics: [
      {
        metric: 'basic_generation',
        helm: { className: 'BasicGenerationMetric', args: new Map([['names', ['exact_match']]]) },
      },
    ],
    groups: [],
  },
  deployment: asked,
  judges,
})

const LEAST = {
  stage: 'record',
  version: STAGE_VERSIONS.record,
  name: 'answers:model=m',
  profile: HELM,
  sampling: {
    maxEvalInstances: null,
    evalSplits: null,
    maxTrainInstances: 5,
    numTrainTrials: 1,
    sampleTrain: true,
  },
  prompts: {
    stage: 'prompts',
    version: STAGE_VERSIONS.prompts,
    adapter: {
      method: 'generation',
      globalPrefix: '',
      globalSuffix: '',
      instructions: '',
      inputPrefix: 'Input: ',
      inputSuffix: '\n',
      referencePrefix: 'A. ',
      referencePrefixCharacters: null,
      referenceSuffix: '\n',
      outputPrefix: 'Output: ',
      outputSuffix: '\n',
      instancePrefix: '\n',
      substitutions: [],
      multiLabel: false,
    },
    window: { tokenizer: null },
  },
  completions: {
    version: STAGE_VERSIONS.completions,
    deployment: 'd/m',
    modelString: 'm',
    protocol: 'chat',
    temperature: 1,
    maxTokens: 100,
    stopSequences: [],
    numOutputs: 5,
    random: null,
  },
  annotations: null,
  metrics: [
    {
      stage: 'metrics',
      metric: 'basic_generation',
      version: '1.0.0',
      args: digestOf<'text'>('{"names": ["exact_match"]}'),
      adapter: { method: 'generation', numOutputs: 5, numTrainTrials: 1, outputMappingPattern: null },
    },
  ],
}

describe('The key of a target', () => {
  test('has a place for what nothing was said of.', () => {
    expect(declarationKey(targetOf({}), HELM)).toStrictEqual(LEAST)
  })

  test('has all that was said.', () => {
    const said = {
      maxEvalInstances: 10,
      evalSplits: ['test'],
      random: 'r',
      outputMappingPattern: '(.)',
      referencePrefixCharacters: 'ab',
    }
    const errata: NonNullable<Benchmark['errata']> = { corrected: ['mended'], uncorrected: [] }
    expect(declarationKey(targetOf({ errata }, { adapter: said }), HELM)).toStrictEqual({
      ...LEAST,
      errata,
      sampling: { ...LEAST.sampling, maxEvalInstances: 10, evalSplits: ['test'] },
      prompts: { ...LEAST.prompts, adapter: { ...LEAST.prompts.adapter, referencePrefixCharacters: 'ab' } },
      completions: { ...LEAST.completions, random: 'r' },
      metrics: LEAST.metrics.map((metric) => ({
        ...metric,
        adapter: { ...metric.adapter, outputMappingPattern: '(.)', patterns: 3 },
      })),
    })
  })

  test('has the instances before, and the database that queries run on.', async () => {
    const instances = { stage: 'instances', version: STAGE_VERSIONS.instances, name: 'answers' }
    const plain = await targetKey(targetOf({}), HELM)
    expect(plain.key).toStrictEqual({ instances: expect.objectContaining(instances), ...LEAST })
    expect(plain.digest).toBe(digestJson(plain.key))
    const queries = { locate: async () => ({ digest: 'a'.repeat(64) }) } as unknown as NonNullable<
      Benchmark['queries']
    >
    const queried = await targetKey(targetOf({ queries }), HELM)
    expect(queried.key['annotations']).toStrictEqual({ ...queryKey(undefined), database: 'a'.repeat(64) })
  })
})

describe('The key of annotations', () => {
  const judgement = {
    stage: 'annotations',
    version: STAGE_VERSIONS.annotations,
    parser: 'helm-0.5.16/1',
    criteria: [
      ['accuracy', ['score', 'explanation']],
      ['clarity', ['score']],
    ],
    rubric: digestOf<'text'>('Judge {RESPONSE}'),
    scale: [1, 5],
  }
  const identity = { deployment: 'd/m', modelString: 'm', protocol: 'chat' }
  const gold = { table: 'gold' } as unknown as NonNullable<Parameters<typeof queryKey>[0]>
  const queries = { gold } as unknown as NonNullable<Benchmark['queries']>

  test('names each judge with what alters its replies, the tokenizer that cuts them, too.', () => {
    const asked = { ...deployment, tokenizerName: 't', tokenizerFiles: files }
    const judged = targetOf({ jury }, { judges: [{ judge, deployment: asked }] })
    expect(annotationKey(judged, HELM)).toStrictEqual({
      ...judgement,
      judges: [{ name: 'strict', ...identity }],
    })
    expect(annotationKey(judged, LIVE)).toStrictEqual({
      ...judgement,
      parser: 'medhelm-0.8/1',
      judges: [{ name: 'strict', ...identity, cutBy: `t@${files.digest}` }],
    })
  })

  test('names the workspace’s own annotators with the digest of their code and what they are given.', () => {
    const code = digestOf<'code'>('own')
    const args = new Map([['also', 1]])
    const ownAnnotators = [{ id: 'negation', digest: code, args }] as unknown as NonNullable<
      Benchmark['ownAnnotators']
    >
    const { stage, version } = judgement
    const own = [{ stage, version, annotator: 'negation', code, arguments: '{"also": 1}' }]
    expect(annotationKey(targetOf({ ownAnnotators }), HELM)).toStrictEqual({ own })
    expect(annotationKey(targetOf({ jury, ownAnnotators }), HELM)).toStrictEqual({
      ...judgement,
      judges: [],
      own,
    })
  })

  test('is of the jury, of queries, or of both.', () => {
    expect(annotationKey(targetOf({}), HELM)).toBeNull()
    expect(annotationKey(targetOf({ jury }), HELM)).toStrictEqual({ ...judgement, judges: [] })
    expect(queryKey(undefined)).not.toHaveProperty('gold')
    const executed = { ...queryKey(undefined), gold: { table: 'gold' } }
    expect(annotationKey(targetOf({ queries }), HELM)).toStrictEqual(executed)
    expect(annotationKey(targetOf({ jury, queries }), HELM)).toStrictEqual({
      jury: { ...judgement, judges: [] },
      queries: executed,
    })
  })
})

test('The key of graders’ replies says how they are read, and whether a physician’s answer is held beside.', () => {
  const key = {
    stage: 'annotations',
    version: STAGE_VERSIONS.annotations,
    parser: 'helm-0.5.16/1',
    grading: { style: 'health-bench', version: GRADING_VERSION, compares: false },
  }
  expect(gradingKey({ style: 'health-bench' }, HELM)).toStrictEqual(key)
  const comparison = 'Which is better?'
  const compared = { ...key, grading: { ...key.grading, compares: true } }
  expect(gradingKey({ style: 'health-bench', comparison }, HELM)).toStrictEqual(compared)
  const graded = { ...jury, grading: { style: 'health-bench', comparison } } as const
  expect(annotationKey(targetOf({ jury: graded }), HELM)).toMatchObject({
    ...compared,
    comparison: digestOf<'text'>(comparison),
  })
})

describe('What cuts replies', () => {
  test.each([
    [HELM, {}, undefined],
    [LIVE, {}, ''],
    [LIVE, { tokenizerName: 't' }, 't'],
    [LIVE, { tokenizerName: 't', tokenizerFiles: files }, `t@${files.digest}`],
    [LIVE, { tokenizerName: 't', client: { className: 'medmake.simple', args: {} } }, undefined],
  ] as const)('in %s with %j is %j', (profile, changed, cut) => {
    expect(cuttingTokenizer({ ...deployment, ...changed }, profile)).toBe(cut)
  })
})

describe('The key of a window', () => {
  test.each([
    [{}, { tokenizer: null }],
    [{ maxRequestLength: 7 }, { tokenizer: null }],
    [{ tokenizerName: 't' }, { tokenizer: 't' }],
    [
      { tokenizerName: 't', tokenizerFiles: files },
      { tokenizer: 't', files: files.digest },
    ],
    [
      { tokenizerName: 't', maxSequenceLength: 9 },
      { tokenizer: 't', maxRequestLength: 9, maxTokens: 3 },
    ],
    [
      { tokenizerName: 't', maxSequenceLength: 9, maxRequestLength: 7 },
      { tokenizer: 't', maxRequestLength: 7, maxTokens: 3 },
    ],
  ])('of %j is %j', (changed, key) => {
    expect(windowKey({ ...deployment, ...changed }, 3)).toStrictEqual(key)
  })
})

describe('The key of a metric', () => {
  const metric = { id: 'm', version: '2' } as Metric
  const spec = {
    metric: 'm',
    helm: { className: 'M', args: new Map([['args', new Map([['k', 1]])]]) },
  } as const
  const plain = {
    stage: 'metrics',
    metric: 'm',
    version: '2',
    args: digestOf<'text'>('{"args": {"k": 1}}'),
    adapter: { method: 'generation', numOutputs: 5, numTrainTrials: 1, outputMappingPattern: null },
  }
  const code = {
    digest: 'c'.repeat(64),
    measures: [
      { name: 'score', unit: 'share', least: 0, most: 1, title: 'Score', description: 'How it is shown.' },
    ],
  } as unknown as MetricCode

  test('has the profile only where the metric reads it.', () => {
    expect(metricKey(metric, spec, adapter, LIVE)).toStrictEqual(plain)
    expect(metricKey({ ...metric, dialects: true }, spec, adapter, LIVE)).toStrictEqual({
      ...plain,
      profile: LIVE,
    })
  })

  test('has the encoder, and of corrections those that are the metric’s own.', () => {
    const bertScore = { model: 'x' } as unknown as NonNullable<Parameters<typeof metricKey>[1]['bertScore']>
    expect(metricKey(metric, { ...spec, bertScore }, adapter, HELM)).toStrictEqual({ ...plain, bertScore })
    const corrected = ['one', 'two']
    expect(
      metricKey({ ...metric, corrects: ['two', 'three'] }, { ...spec, corrected }, adapter, HELM),
    ).toStrictEqual({
      ...plain,
      corrected: ['two'],
    })
    expect(
      metricKey({ ...metric, corrects: ['three'] }, { ...spec, corrected }, adapter, HELM),
    ).toStrictEqual(plain)
    expect(metricKey(metric, { ...spec, corrected }, adapter, HELM)).toStrictEqual(plain)
  })

  test('has a workspace’s code and what its measures mean, and the arguments that it is given.', () => {
    const own = {
      ...plain,
      code: code.digest,
      measures: [{ name: 'score', unit: 'share', least: 0, most: 1 }],
    }
    const given = metricKey(metric, { ...spec, code }, adapter, HELM)
    expect(given).toStrictEqual({ ...own, args: digestOf<'text'>('{"k": 1}') })
    const none = { ...spec, helm: { className: 'M', args: new Map() } }
    expect(metricKey(metric, { ...none, code }, adapter, HELM)['args']).toBe(digestOf('null'))
  })
})

test('The key of a completion has deployment, messages and sampling, in whatever order they were written.', () => {
  const request = { messages: [{ role: 'user', content: 'Hi' }], temperature: 0, maxTokens: 3 }
  const parts = completionParts(request as unknown as Parameters<typeof completionParts>[0])
  expect(parts).toStrictEqual({
    messages: digestOf<'text'>('[{"content":"Hi","role":"user"}]'),
    sampling: '{"maxTokens":3,"temperature":0}',
  })
  const template = completionKey(deployment)
  const key = {
    stage: 'completions',
    version: STAGE_VERSIONS.completions,
    deployment: 'd/m',
    modelString: 'm',
    protocol: 'chat',
    ...parts,
  }
  expect(template.key(parts)).toStrictEqual(key)
  expect(template.digest(parts)).toBe(digestJson(key))
})
