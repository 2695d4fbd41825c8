import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { listPaths } from '../../../tools/release/bundle/list-files.ts'
import { bundleWorkspace, type BundleWorkspace } from './bundle-workspace.ts'

let workspace: BundleWorkspace

const run = (...args: readonly string[]) => medmake(args, { cwd: workspace.root })
const bundleOf = (name: string): string => join(workspace.root, 'benchmark_output/releases', name, 'bundle')
const read = (name: string, path: string): string => readFileSync(join(bundleOf(name), path), 'utf8')

beforeAll(async () => {
  workspace = await bundleWorkspace()
  expect(await run('run')).toMatchObject({ code: 0 })
  expect(await run('release', 'create', 'all')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('release', 'create', 'closed', '--suites', 'closed')).toMatchObject({
    code: 0,
    stderr: '',
  })
})

describe('gated and private benchmarks', () => {
  it('leave no text of a prompt, answer, reference or judge in a release', () => {
    const archive = join(workspace.root, 'benchmark_output/releases/closed/closed.tar.gz')
    const everything = gunzipSync(readFileSync(archive)).toString('utf8')
    for (const text of ['secret note', 'answer 3', 'as drawn', 'Judge {RESPONSE}', '"id3"'])
      expect(everything, text).not.toContain(text)
  })

  it('are there as aggregates, told as withheld', async () => {
    const folder = 'benchmark_output/runs/closed/wards:model=fake_a'
    const files = (await listPaths(bundleOf('closed'))).filter((path) => path.startsWith(folder))
    expect(files.map((path) => path.slice(folder.length + 1))).toEqual([
      'run_spec.json',
      'scenario.json',
      'stats.json',
    ])
    expect(JSON.parse(read('closed', `${folder}/stats.json`))).not.toEqual([])
    const release = JSON.parse(read('closed', 'release.json')) as { readonly withheld: unknown }
    expect(release.withheld).toMatchObject([
      { run: 'wards:model=fake_a', reason: 'wards is private', suppressedStats: 0 },
      { run: 'rare:model=fake_b', reason: 'rare is gated' },
    ])
  })

  it('show no number over fewer than eleven instances', () => {
    const folder = 'benchmark_output/runs/closed/rare:model=fake_b'
    expect(JSON.parse(read('closed', `${folder}/stats.json`))).toEqual([])
    const record = JSON.parse(read('closed', 'records/closed/rare:model=fake_b.json')) as {
      readonly withheld: { readonly suppressedStats: number }
    }
    expect(record.withheld.suppressedStats).toBeGreaterThan(10)
  })

  it('have their intervals on the release’s board, but where they are too few', () => {
    const [board] = JSON.parse(read('closed', 'site/board.json')) as readonly {
      readonly benchmarks: readonly { readonly name: string }[]
      readonly rows: readonly {
        readonly cells: readonly { readonly n: number; readonly interval: unknown }[]
      }[]
    }[]
    const cellsOf = (benchmark: string) => {
      const column = board?.benchmarks.findIndex(({ name }) => name === benchmark) ?? -1
      return (board?.rows ?? []).flatMap(({ cells }) => cells[column] ?? []).filter(({ n }) => n > 0)
    }
    expect(cellsOf('wards')).toMatchObject([{ n: 12, interval: { low: expect.any(Number) as number } }])
    expect(cellsOf('rare')).toEqual([])
    const card = JSON.parse(read('closed', 'records/closed/rare:model=fake_b.json')) as object
    expect(card).toMatchObject({ record: { sample: null } })
  })

  it('pass verify and reproduce beside public ones, of which everything is there', async () => {
    expect(read('all', 'benchmark_output/runs/open/exact:model=fake_a/scenario_state.json')).toContain(
      'secret note',
    )
    expect(await run('release', 'verify', 'all')).toMatchObject({ code: 0, stderr: '' })
    const reproduced = await run('release', 'reproduce', 'all')
    expect(reproduced).toMatchObject({ code: 0, stderr: '' })
    expect(reproduced.stdout).toContain('2 runs scored anew')
    expect(reproduced.stdout).toContain(
      'not scored anew: wards:model=fake_a: its requests and replies are not in the release',
    )
  })

  it('are released in full when they are named, and only they', async () => {
    const result = await run('release', 'create', 'named', '--suites', 'closed', '--include-text', 'wards')
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(read('named', 'benchmark_output/runs/closed/wards:model=fake_a/scenario_state.json')).toContain(
      'as drawn',
    )
    expect(JSON.parse(read('named', 'release.json'))).toMatchObject({
      includedText: ['wards'],
      withheld: [{ run: 'rare:model=fake_b' }],
    })
    expect(await run('release', 'reproduce', 'named')).toMatchObject({ code: 0, stderr: '' })
  })

  it('are closed to others where a new model is asked about them, too', async () => {
    expect(
      await run('release', 'create', 'asked', '--suites', 'closed', '--include-text', 'wards'),
    ).toMatchObject({ code: 0 })
    // The others are aggregates: who asks a model a part alone is told so.
    expect(await run('release', 'reproduce', 'asked', '--model', 'fake/c')).toMatchObject({ code: 1 })
    const folder = join(workspace.root, 'benchmark_output/runs/asked-again/wards:model=fake_c')
    const files = ['', ...readdirSync(folder)]
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)).toEqual([])
  })

  it('can be named only if the release has them', async () => {
    const result = await run('release', 'create', 'wrong', '--suites', 'closed', '--include-text', 'ward')
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('[release/no-such-benchmark]')
  })
})
