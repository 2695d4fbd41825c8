import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import type { HelmStat } from '../../../tools/helm/forms/stat.ts'
import { summarize } from '../../../tools/helm/summarize.ts'
import { NO_AUGMENTATION } from '../../../tools/helm/forms/run-spec.ts'
import { writeHelmRun } from '../../../tools/helm/write/write-run.ts'
import { sampleRun, sampleState } from './sample-run.ts'

/** Fields of a perturbation, with a probability that Python printed as an int. */
const dialect = (computedOn: string): ReadonlyMap<string, PyValue> =>
  new Map<string, PyValue>([
    ['name', 'dialect'],
    ['robustness', false],
    ['fairness', true],
    ['computed_on', computedOn],
    ['prob', 1],
    ['source_class', 'SAE'],
    ['target_class', 'AAVE'],
  ])

const STAT = {
  count: 2,
  sum: 1,
  sumSquared: 1,
  min: 0,
  max: 1,
  mean: 0.5,
  variance: 0.25,
  stddev: 0.5,
  float: false,
}

const stat = (computedOn?: string): HelmStat => {
  if (computedOn === undefined) return { ...STAT, name: { name: 'exact_match', split: 'test' } }
  const perturbation = { name: 'dialect', computedOn, fields: dialect(computedOn) }
  return { ...STAT, name: { name: 'exact_match', split: 'test', perturbation } }
}

/** An int that no float holds, as sums of squares may be. */
const BIG = '123456789012345678'

const media = (...texts: readonly string[]): PyValue =>
  new Map([
    [
      'media_objects',
      texts.map(
        (text) =>
          new Map([
            ['content_type', 'text/plain'],
            ['text', text],
          ]),
      ),
    ],
  ])

const spoken = (id: string, answer: string, ...texts: readonly string[]) => {
  const state = sampleState(id, answer)
  const [completion] = state.result?.completions ?? []
  if (state.result === undefined || completion === undefined) throw new Error('has no answer')
  const completions = [{ ...completion, multimodalContent: media(...texts) }]
  return { ...state, result: { ...state.result, completions } }
}

const perturbed = (id: string) => {
  const state = sampleState(id)
  return { ...state, instance: { ...state.instance, perturbation: dialect('perturbed') } }
}

/** sha256, its first 16 digits, of what crfm-helm 0.5.16 wrote for the same run and schema. */
const DIGESTS = [
  ['runs.json', '885e25ce183ef1aa'],
  ['groups/sums.json', '2451c2fe56a06a01'],
  ['whole/instances.json', 'c242df69d07b0b07'],
  ['whole/display_predictions.json', '736eec3023955ac3'],
  ['whole/display_requests.json', '35e93575325778d6'],
] as const

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'read-back-'))
  const { runSpec } = sampleRun()
  const folder = join(root, 'out', 'runs', 's', 'whole')
  await writeHelmRun(folder, {
    runSpec: {
      name: runSpec.name,
      scenarioSpec: runSpec.benchmark.scenario.spec,
      adapterSpec: { ...runSpec.adapter, temperature: float(0) },
      metricSpecs: [],
      dataAugmenterSpec: NO_AUGMENTATION,
      groups: ['sums'],
    },
    scenario: { name: 'sums', description: '', tags: [], definitionPath: '' },
    stats: [stat(), stat('worst'), stat('original')],
    states: () => [spoken('id0', 'B', 'It is', ' two.'), spoken('id1', 'A'), perturbed('id2')],
    perInstanceStats: () => [
      { instanceId: 'id0', trainTrialIndex: 0, stats: [stat()] },
      { instanceId: 'id2', perturbation: dialect('perturbed'), trainTrialIndex: 0, stats: [stat()] },
    ],
  })
  const file = join(folder, 'stats.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"sum_squared": 1,', `"sum_squared": ${BIG},`))
  const schemaPath = join(root, 'schema.yaml')
  await writeFile(
    schemaPath,
    `metrics: [{ name: exact_match }]
perturbations: [{ name: dialect }]
metric_groups: [{ name: all, metrics: [{ name: exact_match, split: test }] }]
run_groups: [{ name: sums, display_name: Sums, metric_groups: [all] }]
`,
  )
  await summarize({
    outputPath: join(root, 'out'),
    suite: 's',
    schemaPath,
    schemaValidation: 'off',
    modelRegistry: { models: [], deployments: [] },
    today: '2026-01-01',
  })
})
afterAll(() => rm(root, { recursive: true, force: true }))

const written = async (file: string): Promise<string> =>
  (await readFile(join(root, 'out/runs/s', file), 'utf8')).replaceAll(`${root}/`, '')

it.each(DIGESTS)(
  '%s of ints where HELM declares floats, big ones too, and of spoken answers, is HELM’s.',
  async (file, digest) => {
    expect(digestOf(await written(file)).slice(0, 16)).toBe(digest)
  },
)

it('shows probabilities as floats, a great int as the nearest one and spoken words before written ones.', async () => {
  const runs = await written('runs.json')
  expect(runs.match(/"prob": 1\.0,/g)).toHaveLength(2)
  expect(runs).toContain('"sum_squared": 1.2345678901234568e+17,')
  const predictions = JSON.parse(await written('whole/display_predictions.json')) as Record<string, unknown>[]
  expect(predictions.map((each) => [each['predicted_text'], each['mapped_output']])).toEqual([
    ['It is two. B', 'three'],
    ['A', 'two'],
    ['two', undefined],
  ])
})
