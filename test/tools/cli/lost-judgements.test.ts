import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRegistry } from '../../../models/registry/registry.ts'
import { helmContent } from '../../../tools/site/content/helm-content.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const JUDGES = ['fake/one', 'fake/two', 'fake/three']
const NOTES = 8

/** Judgements by model that no reader can make out: the first so many of 24, never all of one answer. */
const LOST: Readonly<Record<string, number>> = { 'fake/most': 11, 'fake/some': 7, 'fake/whole': 0 }

let root = ''
const run = (...args: readonly string[]): ReturnType<typeof medmake> => medmake(args, { cwd: root })

interface Cell {
  readonly value: number | null
  readonly measured: number
  readonly judgements?: { readonly wanted: number; readonly read: number }
  readonly place: { readonly rank: number } | null
  readonly groups: string
}
interface Row {
  readonly model: { readonly deployment: string }
  readonly winRate: number | null
  readonly cells: readonly Cell[]
}
const rowsOf = (stdout: string): ReadonlyMap<string, Row> => {
  const [board] = (JSON.parse(stdout) as { boards: readonly { rows: readonly Row[] }[] }).boards
  return new Map((board?.rows ?? []).map((row) => [row.model.deployment, row]))
}

beforeAll(async () => {
  const server = await fakeServer({
    answer: ({ model, prompt }) => {
      const judge = JUDGES.indexOf(model)
      const note = Number(/note(\d)/.exec(prompt)?.[1])
      if (judge < 0) return `${model} on note${note}`
      const judged = /fake\/\w+/.exec(prompt)?.[0] ?? ''
      const isLost = judge < 2 && judge * NOTES + note < (LOST[judged] ?? 0)
      return isLost
        ? 'no JSON'
        : `{"accuracy": {"score": ${judged === 'fake/some' ? 4 : 3}, "explanation": ""}}`
    },
  })
  const models = Object.keys(LOST)
  root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, [...models, 'fake/other', ...JUDGES]),
    ...shortBenchmark(
      {
        name: 'summaries',
        access: 'public',
        category: 'Clinical Note Generation',
        judges: JUDGES,
      },
      { data: `note\n${Array.from({ length: NOTES }, (_, note) => `note${note}`).join('\n')}\n` },
    ),
    'targets/main.conf': `entries: [${[...models, 'fake/other'].map((model) => `{description: "summaries:model=${model}"}`).join(', ')}]`,
  })
  expect((await run('run')).code).toBe(0)
})

describe('judgements that could not be read', () => {
  it('count against coverage: the score is shown and not ranked', async () => {
    const { code, stdout } = await run('report', '--json')
    expect(code).toBe(0)
    const rows = rowsOf(stdout)
    const most = rows.get('fake/most')
    expect(most?.cells[0]).toMatchObject({ value: 3, measured: 8, judgements: { wanted: 24, read: 13 } })
    expect(rows.get('fake/some')?.cells[0]?.judgements).toEqual({ wanted: 24, read: 17 })
    for (const name of ['fake/most', 'fake/some'])
      expect(rows.get(name)).toMatchObject({ winRate: null, cells: [{ place: null, groups: '' }] })
    expect(rows.get('fake/whole')?.cells[0]).toMatchObject({
      judgements: { wanted: 24, read: 24 },
      place: { rank: 1 },
    })
    const text = (await run('report')).stdout
    expect(text).toContain('~4.000')
    expect(text).toContain('unranked: 70.8 % of judgements read, 7 unreadable judgements')
  })

  it('leave a model out of the ranking of compare, by name', async () => {
    const { code, stdout } = await run('compare', '--format', 'json')
    expect(code).toBe(0)
    const [found] = JSON.parse(stdout) as readonly {
      ranking: { models: readonly { name: string }[] }
      unranked: readonly { deployment: string; coverage: { judgements: { read: number } } }[]
    }[]
    expect(found?.ranking.models.map(({ name }) => name)).toEqual(['fake/other', 'fake/whole'])
    expect(found?.unranked.map(({ deployment, coverage }) => [deployment, coverage.judgements.read])).toEqual(
      [
        ['fake/most', 13],
        ['fake/some', 17],
      ],
    )
    expect((await run('compare')).stdout).toContain(
      'Not ranked: fake/some in summaries: 70.8 % of judgements read, under the floor of 99.0 %.',
    )
  })

  it.each(['jury_score', 'jury_score_strict'])('decide no comparison by %s', async (metric) => {
    const args = ['compare', 'fake/some', 'fake/most', '--metric', metric]
    const { code, stdout } = await run(...args, '--fail-if', 'any worsens > 0', '--format', 'json')
    expect(code).toBe(1)
    const [found] = (JSON.parse(stdout) as { comparisons: readonly Record<string, unknown>[] }).comparisons
    expect(found).toMatchObject({
      result: null,
      broken: [],
      unranked: {
        // No answer was read by all judges on both sides.
        n: 0,
        meanA: null,
        meanB: null,
        a: { judgements: { read: 17 } },
        b: { judgements: { read: 13 } },
      },
    })
    expect((await run(...args)).stdout).toContain(
      `not compared: summaries, ${metric} of summaries:model=fake_most: A: 70.8 % of judgements read`,
    )
  })

  it.each(['jury_score'])('decide none by %s of HELM’s files either', async (metric) => {
    const args = ['compare', 'fake/some', 'fake/whole', '--metric', metric, '--format', 'json']
    const [stored, files] = [await run(...args), await run(...args, '--from', 'benchmark_output')]
    expect([stored.code, files.code]).toEqual([1, 1])
    // No file of HELM's says why a judgement is missing.
    const withoutCauses: unknown = JSON.parse(stored.stdout, (key, value: unknown) =>
      key === 'causesA' ? {} : value,
    )
    expect(JSON.parse(files.stdout)).toEqual(withoutCauses)
  })

  it('take no part in the analysis', async () => {
    const { analyses } = JSON.parse((await run('analyze', '--json')).stdout) as {
      analyses: readonly {
        models: readonly string[]
        standings: readonly { model: string; winRate: number | null }[]
        heatmap: readonly { values: readonly (number | null)[] }[]
        detectable: readonly { pairs: number }[]
      }[]
    }
    const [analysis] = analyses
    expect(analysis?.standings.filter(({ winRate }) => winRate === null).map(({ model }) => model)).toEqual([
      'fake/most',
      'fake/some',
    ])
    expect(analysis?.heatmap[0]?.values.filter((value) => value !== null)).toHaveLength(2)
    expect(analysis?.detectable[0]?.pairs).toBe(1)
  })

  it('are told by HELM’s own files to whoever serves them', async () => {
    const { suite } = await helmContent(
      { kind: 'suite', name: 'main' },
      {
        outputPath: `${root}/benchmark_output`,
        registry: createRegistry([], []),
        accessOf: async () => 'public',
      },
    )
    const [cell] = suite.board.rows.find(({ model }) => model.deployment === 'fake/some')?.cells ?? []
    expect(cell).toMatchObject({ judgements: { wanted: 24, read: 17 }, place: null })
    // Seven answers lack a judge: what the others gave is no measurement.
    expect(cell).toMatchObject({ asked: 8, n: 1 })
  })

  it('go with a release, and leave its board as it was', async () => {
    expect(await run('release', 'create', 'r')).toMatchObject({ code: 0, stderr: '' })
    const boardAt = (site: string): string => readFileSync(join(root, site, 'index.html'), 'utf8')
    const released = boardAt('benchmark_output/releases/r/bundle/site')
    expect(released).toContain('unranked: 70.8 % of judgements read')
    expect(await run('release', 'verify', 'r')).toMatchObject({ code: 0, stderr: '' })
  })
})
