import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { summarize } from '../../../tools/helm/summarize.ts'
import { stampOf } from '../../../tools/helm/write/staged-file.ts'
import { writeRun, openRunFolder } from '../../../tools/helm/write/write-run.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sampleRun, sampleState } from './sample-run.ts'

let output = ''
beforeEach(() => {
  output = join(temporaryFolder(), 'benchmark_output')
})

/** A run of one group by one model. */
const write = async (group: string, model: string, answer = 'two'): Promise<void> => {
  const run = sampleRun()
  const helm = { className: 'x.BasicGenerationMetric', args: new Map([['names', ['exact_match']]]) }
  const adapter = { ...run.runSpec.adapter, model, modelDeployment: model }
  const { benchmark } = run.runSpec
  const spec = { className: `x.${group}`, args: new Map() }
  const scenario = { ...benchmark.scenario, spec, name: group }
  const score = answer === 'two' ? 1 : 0
  const stat = { name: { name: 'exact_match', split: 'test' }, count: 1, sum: score, sumSquared: score }
  const stats = [{ ...stat, min: score, max: score, mean: score, variance: 0, stddev: 0, float: true }]
  const name = `${group}:model=${model}`
  return writeRun(await openRunFolder(join(output, 'runs/s', name), { access: 'public' }), {
    states: () => [sampleState('id0', answer)],
    stats,
    perInstanceStats: () => [{ instanceId: 'id0', trainTrialIndex: 0, stats }],
    runSpec: {
      ...run.runSpec,
      name,
      adapter,
      benchmark: { ...benchmark, name: group, scenario, adapter },
      groups: [group],
      metrics: [{ metric: 'basic_generation', helm }],
    },
  })
}

const summarizeAll = (remember = true): ReturnType<typeof summarize> =>
  summarize({
    outputPath: output,
    suite: 's',
    schemaValidation: 'warn',
    modelRegistry: { models: [], deployments: [] },
    today: '2026-01-01',
    remember,
  })

/** Inode and change time by path: a file that was put in place anew has another inode. */
const marks = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(output, { recursive: true, encoding: 'utf8' })
      .map((path) => [path, statSync(join(output, path), { bigint: true })] as const)
      .flatMap(([path, stat]) => (stat.isFile() ? [[path, `${stat.ino} ${stat.mtimeNs}`] as const] : [])),
  )

const changedSince = (before: ReadonlyMap<string, string>): readonly string[] =>
  [...marks()].flatMap(([path, mark]) => (before.get(path) === mark ? [] : [path])).sort()

const NOTE = 'runs/s/.medmake-pages.json'

test('A stamp changes with every edit, though it leaves size, time and place of a file as they were.', () => {
  const folder = temporaryFolder()
  const stamp = (text: string): string | undefined => {
    writeFileSync(join(folder, 'stats.json'), text)
    utimesSync(join(folder, 'stats.json'), 1e9, 1e9)
    return stampOf(folder, ['stats.json'])
  }
  const before = stamp('[0.25]')
  expect(stampOf(folder, ['stats.json'])).toBe(before)
  expect(stamp('[0.75]')).not.toBe(before)
  expect(stampOf(folder, ['stats.json', 'run_spec.json'])).toBeUndefined()
})

describe('summarising again', () => {
  it('rewrites nothing where no run changed', async () => {
    for (const group of ['sums', 'words']) await write(group, 'a')
    await summarizeAll()
    const before = marks()
    await summarizeAll()
    expect(changedSince(before)).toEqual([])
  })

  it('rewrites of one changed run its page, its group’s tables and the indices over all', async () => {
    for (const group of ['sums', 'words']) for (const model of ['a', 'b']) await write(group, model)
    await summarizeAll()
    await write('words', 'b', 'three')
    const before = marks()
    await summarizeAll()
    const changed = changedSince(before)
    expect(changed.filter((path) => path.includes(':model='))).toEqual(
      ['display_predictions.json', 'instances.json', 'display_requests.json']
        .map((file) => `runs/s/words:model=b/${file}`)
        .sort(),
    )
    expect(changed.filter((path) => path.includes('/groups/') && path.includes('sums'))).toEqual([])
    expect(changed).toContain('runs/s/groups/words.json')
    expect(changed).toContain('runs/s/groups/all_scenarios.json')
    expect(changed.filter((path) => !/:model=|\/groups\//.test(path))).toEqual([NOTE, 'runs/s/runs.json'])
  })

  it('gives the bytes that summarising for the first time gives', async () => {
    for (const group of ['sums', 'words']) await write(group, 'a')
    await summarizeAll()
    await write('words', 'a', 'three')
    await summarizeAll()
    const texts = (): readonly string[] =>
      [...marks().keys()]
        .filter((path) => path !== NOTE)
        .sort()
        .map((path) => path + readFileSync(join(output, path), 'utf8'))
    const again = texts()
    await summarizeAll(false)
    expect(texts()).toEqual(again)
  })

  it('writes a page again that somebody altered, and pages whose note is damaged', async () => {
    await write('sums', 'a')
    await summarizeAll()
    const page = join(output, 'runs/s/sums:model=a/instances.json')
    const text = readFileSync(page, 'utf8')
    writeFileSync(page, 'altered')
    await summarizeAll()
    expect(readFileSync(page, 'utf8')).toBe(text)
    const note = readFileSync(join(output, NOTE), 'utf8')
    writeFileSync(join(output, NOTE), note.slice(0, 9))
    await summarizeAll()
    expect(Object.keys(JSON.parse(readFileSync(join(output, NOTE), 'utf8')) as object)).toEqual([
      'sums:model=a',
    ])
  })
})

describe('summarising many runs', () => {
  it('writes the same pages in threads as in one', async () => {
    for (let run = 0; run < 20; run += 1) await write('sums', `m${run}`, run % 2 === 0 ? 'two' : 'three')
    // Its page can't be written, and the others are all the same.
    const torn = join(output, 'runs/s/sums:model=m7/scenario_state.json')
    writeFileSync(torn, readFileSync(torn, 'utf8').slice(0, -300))
    const copy = join(temporaryFolder(), 'benchmark_output')
    await cp(output, copy, { recursive: true })
    const { problems } = await summarizeAll()
    const cwd = join(copy, '..')
    const result = await medmake(['--suite', 's', '-o', 'benchmark_output'], { cwd }, 'helm-summarize')
    expect(problems).toMatchObject([{ code: 'tools/torn-file', where: { file: torn } }])
    expect(result.stderr).toContain('tools/torn-file')
    for (const path of marks().keys())
      if (path.includes(':model='))
        expect(readFileSync(join(copy, path), 'utf8')).toBe(readFileSync(join(output, path), 'utf8'))
  })
})
