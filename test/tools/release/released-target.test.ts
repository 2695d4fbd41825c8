import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { identityOf } from '../../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { basicGeneration } from '../../../targets/metrics/basic-generation.ts'
import { metricObject } from '../../../targets/metrics/metric.ts'
import { openRunFolder, writeRun } from '../../../tools/helm/write/write-run.ts'
import { placeholderDeployment, releasedTarget } from '../../../tools/release/replay/released-target.ts'
import { whyLeft } from '../../../tools/release/replay/reproduce.ts'
import { runPath, type CardDeployment, type RunCard } from '../../../tools/release/run-card.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sampleRun } from '../helm/sample-run.ts'
import { madeUpCard, WITHHELD } from './made-up-card.ts'
import { instancesPerSplit } from '../../../targets/metrics/instances-per-split.ts'

const bundle = temporaryFolder()
const deployment = {
  deployment: 'host/m',
  modelString: 'm-1',
  protocol: 'chat',
  tokenizer: 'host/tokens',
} as const
const METRICS: RunCard['metrics'] = [
  { metric: 'basic_generation' },
  { metric: 'instances_per_split', corrected: ['repeated-row'] },
]
const JURY: NonNullable<RunCard['jury']> = {
  annotator: 'letters',
  rubric: 'r1',
  template: 'Is {RESPONSE} right?',
  criteria: [['tone', ['score']]],
  scale: { least: 0, most: 9 },
  judges: [
    { name: 'strict', model: 'made-by/judge', ...deployment, deployment: 'host/judge', tokenizer: null },
  ],
}
const cardOf = (more: Partial<RunCard> = {}): RunCard => madeUpCard({ metrics: METRICS, deployment, ...more })

beforeAll(async () => {
  const run = sampleRun()
  const metrics = [
    metricObject(basicGeneration, { names: ['exact_match'] }),
    metricObject(instancesPerSplit, {}),
  ]
  const { suite, name } = cardOf()
  await writeRun(await openRunFolder(join(bundle, runPath(suite, name)), { access: 'public' }), {
    ...run,
    runSpec: { ...run.runSpec, metrics },
  })
})

const targetOf = (card: RunCard) => releasedTarget(bundle, card, { databases: new Map(), code: undefined })

describe('A run of a release is a target', () => {
  test('with its own metrics, each put right as its record tells.', async () => {
    const { spec } = await targetOf(cardOf())
    expect(spec.metrics.map(({ metric, helm }) => [metric, helm.className.split('.').at(-1)])).toEqual([
      ['basic_generation', 'BasicGenerationMetric'],
      ['instances_per_split', 'InstancesPerSplitMetric'],
    ])
    expect(spec.metrics).toMatchObject(METRICS)
    expect(spec.adapter).toMatchObject({ model: 'a/b', maxTokens: 5, method: 'generation' })
    expect(await problemOf(() => targetOf(cardOf({ metrics: METRICS.slice(1) })))).toMatchObject({
      code: 'release/bad-record',
    })
  })

  test('whose deployments have the identities that the record tells, so that its replies are found.', async () => {
    const target = await targetOf(cardOf({ jury: JURY }))
    expect(target.deployment).toMatchObject({
      name: 'host/m',
      modelName: 'a/b',
      tokenizerName: 'host/tokens',
    })
    expect(identityOf(target.deployment)).toMatchObject({
      deployment: 'host/m',
      modelString: 'm-1',
      protocol: 'chat',
    })
    const [judge] = target.judges
    expect(judge).toMatchObject({
      judge: { name: 'strict', model: 'made-by/judge', deployment: 'host/judge' },
      deployment: { name: 'host/judge', modelName: 'made-by/judge' },
    })
    expect(judge?.deployment).not.toHaveProperty('tokenizerName')
  })

  test('judged by the rubric, criteria and scale of the record, where it holds the rubric.', async () => {
    const { jury } = (await targetOf(cardOf({ jury: JURY }))).spec.benchmark
    expect(jury).toMatchObject({
      annotator: 'letters',
      template: 'Is {RESPONSE} right?',
      scale: { least: 0, most: 9 },
    })
    expect([...(jury?.criteria ?? [])]).toEqual([['tone', ['score']]])
    expect(jury).not.toHaveProperty('grading')
    const grading = { style: 'health-bench' } as unknown as NonNullable<typeof JURY.grading>
    const graded = await targetOf(cardOf({ jury: { ...JURY, grading } }))
    expect(graded.spec.benchmark.jury?.grading).toEqual(grading)
    for (const none of [null, { ...JURY, template: null }])
      expect((await targetOf(cardOf({ jury: none }))).spec.benchmark).not.toHaveProperty('jury')
  })

  test('without data: its requests come from the release.', async () => {
    const { spec } = await targetOf(cardOf())
    expect(() => spec.benchmark.instances(() => undefined)).toThrow('has no data')
    expect(await spec.benchmark.identity()).toEqual({ data: 'd1' })
  })
})

test.each([
  ['simple', { className: 'medmake.simple', args: { model: 'm-1' } }],
  ['baseline', { className: 'medmake.baseline', args: { name: 'm-1' } }],
  ['chat', { className: 'medmake.chat', args: { model: 'm-1' } }],
] as const)('A deployment of the protocol %s is told by its own client.', (protocol, client) => {
  const placeholder = placeholderDeployment({ ...deployment, protocol }, 'made-by/m')
  expect(placeholder).toMatchObject({ name: 'host/m', modelName: 'made-by/m', client, limits: {}, file: '' })
})

const CODE = { code: { file: '', digest: 'd'.repeat(64) } }
test.each([
  ['medmake.chat', { model: 'gpt-5', body: { seed: 1 }, reasoning: false, reasoning_effort: 'low' }, {}],
  ['medmake.responses', { model: 'm-1' }, {}],
  ['medmake.completions', { model: 'm-1' }, {}],
  ['medmake.azure', { deployment: 'm-1', endpoint: 'https://x.example', api_version: '1' }, {}],
  ['helm.clients.openai_client.OpenAIClient', { openai_model_name: 'm-1' }, {}],
  ['medmake.baseline', {}, {}],
  ['medmake.simple', {}, {}],
  ['workspace.clients.own', { model: 'm-1', style: 'terse' }, CODE],
  ['workspace.clients.own', { style: 'terse' }, CODE],
  ['workspace.clients.own', {}, CODE],
])('What answered as %s with %j is known by the same identity in a release.', (className, args, more) => {
  const declared = {
    ...placeholderDeployment({ ...deployment }, 'made-by/m'),
    ...(more as Pick<ModelDeployment, 'code'>),
    client: { className, args: { base_url: 'https://x.example/v1', ...args } },
  }
  const identity = identityOf(declared)
  const placeholder = placeholderDeployment({ ...identity, tokenizer: null }, 'made-by/m')
  expect(identityOf(placeholder)).toStrictEqual(identity)
})

test('A local model whose record does not say which files it had stands for none', async () => {
  const local = { ...deployment, protocol: 'local' } as CardDeployment
  expect(await problemOf(async () => placeholderDeployment(local, 'made-by/m'))).toMatchObject({
    code: 'release/bad-record',
  })
})

const OWN_CODE = 'code of its own workspace scored it, which is neither in the release nor here as it was'
test.each([
  ['whole runs', {}, undefined],
  ['withheld ones', { withheld: WITHHELD }, 'its requests and replies are not in the release'],
  [
    'ones with queries on a database that is told',
    { queries: true, database: { annotator: 'a', digest: 'd' } },
    undefined,
  ],
  [
    'ones with queries on who knows which',
    { queries: true },
    'an older release does not tell on which database its queries were run',
  ],
  ['ones of a metric of somebody’s own code', { metrics: [...METRICS, { metric: './own.ts' }] }, OWN_CODE],
  ['ones with annotators of own code', { ownAnnotators: [] }, OWN_CODE],
])('Of a release %s are scored anew, or it is said why not.', (_, more, reason) => {
  const card = cardOf(more)
  expect(whyLeft(card, false)).toBe(reason)
  expect(whyLeft(card, true)).toBe(reason === OWN_CODE ? undefined : reason)
})
