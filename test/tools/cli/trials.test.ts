import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it.each([
  ['', [], 3],
  ['', ['-t', '1'], 1],
  ['num_train_trials: 2\n', [], 2],
])(
  'trials are what an entry says unless medmake.yaml %j or flags %j say otherwise: %d',
  async (yaml, flags, trials) => {
    const entry = 'demo_multiple_choice:max_train_instances=2,num_train_trials=3,model=baseline/lead'
    const cwd = createWorkspace({ 'medmake.yaml': yaml })
    expect(await medmake(['run', '-r', entry, '-m', '2', ...flags], { cwd })).toMatchObject({ code: 0 })
    const run = join(cwd, 'benchmark_output/runs/default', entry.replace('baseline/', 'baseline_'))
    const spec = JSON.parse(readFileSync(join(run, 'run_spec.json'), 'utf8')) as {
      readonly adapter_spec: { readonly num_train_trials: number }
    }
    expect(spec.adapter_spec.num_train_trials).toBe(trials)
  },
)

it('several trials are averaged, and never taken for single answers though all agree, wherever they are read', async () => {
  const models = ['baseline/first-choice', 'baseline/lexical-overlap']
  const entry = (model: string): string =>
    `{description: "demo_multiple_choice:max_train_instances=2,num_train_trials=2,model=${model}"}`
  const cwd = createWorkspace({ 'targets/twice.conf': `entries: [${models.map(entry).join(', ')}]` })
  const json = async (...args: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await medmake(args, { cwd })
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout) as unknown
  }
  for (const verb of [['run'], ['report'], ['release', 'create', 'r', '--suites', 'twice']])
    expect(await medmake(verb, { cwd })).toMatchObject({ code: 0 })
  const [site, released] = ['site', 'releases/r/bundle/site'].map((folder) => {
    const downloads = join(cwd, 'benchmark_output', folder, 'downloads')
    const name = readdirSync(downloads).find((file) => file.endsWith('.csv')) ?? ''
    return readFileSync(join(downloads, name), 'utf8')
  })
  const lines = (site ?? '').trim().split('\n').slice(1)
  expect(lines.map((line) => line.includes(',Gaffke,48,96,96,yes,'))).toEqual([true, true])
  expect(released).toBe(site)
  // Gaffke's of 0/1 means is Clopper and Pearson's: here of 12 of 48.
  const [, low, high] = /,0\.25,0\.25,([^,]+),([^,]+),/.exec(site ?? '') ?? []
  expect(Number(low)).toBeCloseTo(0.1363722774206005, 12)
  expect(Number(high)).toBeCloseTo(0.3959593100271179, 12)

  // Each trial's answer is right or wrong all the same.
  const pages = join(cwd, 'benchmark_output/site/runs')
  const runs = readdirSync(pages).filter((file) => file.endsWith('.html'))
  expect(runs.map((file) => readFileSync(join(pages, file), 'utf8').includes('data-wrong="0"'))).toEqual([
    true,
    true,
  ])

  const pair = { comparisons: [{ result: { n: 48, test: 't', difference: 2 / 48 } }] }
  const asked = ['compare', ...models, '--format', 'json']
  expect(await json(...asked, '--suite', 'twice')).toMatchObject(pair)
  for (const place of ['benchmark_output', 'r'])
    expect(await json(...asked, '--store', 'none', '--from', place, '--suite', 'twice')).toMatchObject(pair)
})
