import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRun, readRequestStates } from '../../../tools/helm/read-run.ts'
import { writeDisplayFiles } from '../../../tools/helm/write/display-files.ts'
import { RUN_FILES, writeHelmRun, writeRun, openRunFolder } from '../../../tools/helm/write/write-run.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { shared } from '../../rig/shared.ts'
import { sampleRun, sampleState } from './sample-run.ts'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'run-files-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const goldens = [
  'seed-walkthroughs',
  'configurable-benchmark',
  'public-benchmarks',
  'simple-scenarios',
  'gated-and-private',
  'public-synthetic',
  'medhelm-0.8',
]

describe.skipIf(shared('golden') === undefined)('golden runs', () => {
  it.each(goldens)('of %s are written back byte for byte', async (golden) => {
    const root = join(shared('golden') ?? '', golden)
    const runs = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('scenario_state.json'))
      .map((file) => join(root, dirname(file)))
    expect(runs.length).toBeGreaterThan(0)
    for (const run of runs) {
      const copy = join(directory, golden)
      await writeHelmRun(copy, await readRun(run))
      for (const file of Object.values(RUN_FILES)) {
        const [written, original] = await Promise.all([readFile(join(copy, file)), readFile(join(run, file))])
        expect(written.equals(original), `${run}/${file}`).toBe(true)
      }
    }
  })
})

describe('writing a run', () => {
  it('leaves exactly the five files', async () => {
    const place = join(directory, 'sample')
    await writeRun(await openRunFolder(place, { access: 'public' }), sampleRun())
    expect((await readdir(place)).toSorted()).toEqual(Object.values(RUN_FILES).toSorted())
  })

  it('writes empty lists inline and what our types leave unsaid as HELM does', async () => {
    const place = join(directory, 'empty')
    await writeRun(await openRunFolder(place, { access: 'public' }), {
      ...sampleRun(),
      states: () => [],
      stats: [],
      perInstanceStats: () => [],
    })
    expect(await readFile(join(place, 'stats.json'), 'utf8')).toBe('[]')
    expect(await readFile(join(place, 'per_instance_stats.json'), 'utf8')).toBe('[]')
    expect(await readFile(join(place, 'scenario_state.json'), 'utf8')).toMatch(
      /"request_states": \[\],\n {2}"annotator_specs": \[\]\n\}$/,
    )
  })

  it('keeps ints, floats and count-0 stats apart', async () => {
    const place = join(directory, 'numbers')
    await writeRun(await openRunFolder(place, { access: 'public' }), sampleRun())
    expect(await readFile(join(place, 'stats.json'), 'utf8')).toBe(
      '[\n  {\n    "name": {\n      "name": "exact_match",\n      "split": "test"\n    },\n    "count": 1,\n' +
        '    "sum": 1.0,\n    "sum_squared": 1.0,\n    "min": 1.0,\n    "max": 1.0,\n    "mean": 1.0,\n' +
        '    "variance": 0,\n    "stddev": 0.0\n  },\n' +
        '  {\n    "name": {\n      "name": "training_co2_cost"\n    },\n    "count": 0,\n    "sum": 0,\n    "sum_squared": 0\n  }\n]',
    )
  })

  it('drops stats whose sum is not a number, as HELM does', async () => {
    const place = join(directory, 'nan')
    const nan = { name: { name: 'x' }, count: 1, sum: Number.NaN, sumSquared: Number.NaN, float: true }
    await writeRun(await openRunFolder(place, { access: 'public' }), { ...sampleRun(), stats: [nan] })
    expect(await readFile(join(place, 'stats.json'), 'utf8')).toBe('[]')
  })

  it.each([
    ['generation', [undefined, undefined]],
    ['multiple_choice_separate_original', ['B', undefined]],
    ['multiple_choice_separate_calibrated', ['B', undefined]],
    ['language_modeling', [undefined, 'wo']],
  ])('shows of answers by %s what follows the given text', async (method, cut) => {
    const place = join(directory, method)
    const whole = sampleState('id0', `${sampleState('').instance.input.text}B`)
    const tokens = ['t', 'wo'].map((text) => ({ text, logprob: 0 }))
    const spoken = sampleState('id1', 'two')
    const completions = spoken.result?.completions.map((each) => ({ ...each, tokens })) ?? []
    const states = [whole, { ...spoken, result: { ...spoken.result, completions } }] as RequestState[]
    await writeRun(await openRunFolder(place, { access: 'public' }), { ...sampleRun(), states: () => states })
    expect(await writeDisplayFiles({ path: place, shown: [], method })).toEqual([])
    const shown = JSON.parse(await readFile(join(place, 'display_predictions.json'), 'utf8')) as Record<
      string,
      string
    >[]
    expect(shown.map((row) => row['truncated_predicted_text'])).toEqual(cut)
    const order = Object.keys(shown[cut[0] === undefined ? 1 : 0] ?? {}).slice(2, 4)
    expect(order).toEqual([
      'predicted_text',
      method === 'generation' ? 'base64_images' : 'truncated_predicted_text',
    ])
  })

  it.each([
    ['multiple_choice_joint', 'id', [0, 1, 0], 2],
    ['multiple_choice_separate_original', 'predicted_index', [1, 0], 2],
    ['multiple_choice_separate_calibrated', 'predicted_index', [1], 1],
  ])('shows of options that %s asks for the chosen one', async (method, stat, indices, instances) => {
    const place = join(directory, `chosen-${method}`)
    await writeRun(await openRunFolder(place, { access: 'public' }), sampleRun())
    const { value: state } = await readRequestStates(place).next()
    if (state === undefined) throw new Error('it has states')
    // Of the first instance the second option is chosen; of the other nobody knows.
    const states = [
      { ...state, referenceIndex: 0 },
      { ...state, referenceIndex: 1 },
      {
        ...state,
        instance: { ...state.instance, id: 'other' },
        referenceIndex: 0,
        requestMode: 'calibration',
      },
    ]
    const value = { count: 1, sum: 1, sumSquared: 1, min: 1, max: 1, mean: 1, variance: 0, stddev: 0 }
    const stats = [{ ...value, name: { name: stat, split: 'test' }, float: true }]
    await writeHelmRun(place, {
      ...(await readRun(place)),
      states: () => states,
      perInstanceStats: () => [{ instanceId: String(state.instance.id), trainTrialIndex: 0, stats }],
    })
    expect(await writeDisplayFiles({ path: place, shown: [], method })).toEqual([])
    const page = async (name: string) => JSON.parse(await readFile(join(place, name), 'utf8')) as unknown[]
    expect(await page('display_predictions.json')).toMatchObject(
      indices.map((at) => ({ reference_index: at })),
    )
    expect(await page('display_requests.json')).toHaveLength(indices.length)
    // An instance stands there once, however often it was asked.
    expect(await page('instances.json')).toHaveLength(instances)
  })

  it('leaves the old files in place when a source fails half-way', async () => {
    const place = join(directory, 'failing')
    await writeRun(await openRunFolder(place, { access: 'public' }), sampleRun())
    const before = await readFile(join(place, 'scenario_state.json'), 'utf8')
    const failing = (): never => {
      throw new Error('the store is gone')
    }
    await expect(
      writeRun(await openRunFolder(place, { access: 'public' }), {
        ...sampleRun(),
        perInstanceStats: failing,
      }),
    ).rejects.toThrow('the store is gone')
    expect(await readFile(join(place, 'scenario_state.json'), 'utf8')).toBe(before)
    expect((await readdir(place)).length).toBe(5)
  })
})

describe('reading a run', () => {
  it('names a file that was cut short', async () => {
    const place = join(directory, 'torn')
    await writeRun(await openRunFolder(place, { access: 'public' }), sampleRun())
    const file = join(place, 'scenario_state.json')
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -20))
    const read = async () => {
      const states = []
      for await (const state of readRequestStates(place)) states.push(state)
      return states
    }
    await expect(read()).rejects.toMatchObject({ problems: [{ code: 'tools/torn-file', where: { file } }] })
  })

  it('names the field that HELM could not have written', async () => {
    const place = join(directory, 'misfit')
    await writeRun(await openRunFolder(place, { access: 'public' }), sampleRun())
    const file = join(place, 'run_spec.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"max_tokens": 5', '"max_tokens": "5"'))
    await expect(readRun(place)).rejects.toMatchObject({
      problems: [{ code: 'tools/not-helm-form', where: { file, field: 'adapter_spec.max_tokens' } }],
    })
  })

  it('gives back what was written, states one at a time', async () => {
    const place = join(directory, 'back')
    await writeRun(await openRunFolder(place, { access: 'public' }), sampleRun())
    const run = await readRun(place)
    expect(run.stats).toEqual(sampleRun().stats)
    const states = []
    for await (const state of run.states()) states.push(state)
    const { numPromptTokens: _, ...expected } = sampleState('id0')
    expect(states).toEqual([expected])
  })
})
