import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeBoard, type Board } from '../../../targets/board/board.ts'
import { randomKey, RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { formatValue } from '../../../cache/words/number-text.ts'
import { makeBoardData } from '../../../tools/site/pages/leaderboard/board/make-board-data.ts'
import { boardView } from '../../../tools/site/pages/leaderboard/board/board-view.ts'
import { DEFAULT_STATE } from '../../../tools/site/pages/leaderboard/state.ts'
import { benchmarkPath, modelPath, runPath } from '../../../tools/site/paths.ts'
import { madeUpRuns } from '../../bench/made-up-board.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

interface Stat {
  readonly name: { readonly name: string; readonly split?: string; readonly perturbation?: unknown }
  readonly count: number
  readonly sum: number
}

/** A score as the files of its run give it. */
interface Known {
  readonly run: string
  readonly benchmark: string
  readonly deployment: string
  readonly label: string
  readonly stats: readonly Stat[]
  readonly value: number
}

const exactNumbers = (html: string): readonly number[] =>
  [...html.matchAll(/<data value="([^"]*)">/g)].map(([, value]) => Number(value))

/** The row of a table whose name leads to a page. */
const rowOf = (html: string, href: string): string =>
  html.split('<tr').find((row) => row.includes(`href="${href}"`)) ?? ''

describe('every number on a page', () => {
  let site = ''
  let known: readonly Known[] = []
  const page = (path: string): string => readFileSync(join(site, path), 'utf8')

  beforeAll(async () => {
    const cwd = createWorkspace({})
    mkdirSync(join(cwd, 'targets'), { recursive: true })
    copyFileSync('targets/demo.conf', join(cwd, 'targets/demo.conf'))
    expect((await medmake(['run', 'demo'], { cwd })).code).toBe(0)
    expect((await medmake(['report', 'demo'], { cwd })).code).toBe(0)
    site = join(cwd, 'benchmark_output/site')
    const [board] = JSON.parse(page('board.json')) as readonly Board[]
    const runs = join(cwd, 'benchmark_output/runs/demo')
    known = readdirSync(runs)
      .filter((run) => run.includes(':'))
      .map((run) => {
        const stats = JSON.parse(readFileSync(join(runs, run, 'stats.json'), 'utf8')) as readonly Stat[]
        const benchmark = board?.benchmarks.find(({ name }) => run.startsWith(`${name}:`))
        const row = board?.rows.find(({ model }) => run.endsWith(`model=${model.name.replace('/', '_')}`))
        const main = stats.find(
          ({ name }) =>
            name.name === benchmark?.mainMetric.name &&
            name.split === benchmark.mainMetric.split &&
            name.perturbation === undefined,
        )
        return {
          run,
          benchmark: benchmark?.name ?? '',
          deployment: row?.model.deployment ?? '',
          label: row?.label ?? '',
          stats,
          value: main === undefined ? NaN : main.sum / main.count,
        }
      })
  }, 120_000)

  test('is that of the run’s files: board, benchmarks, models and downloads', () => {
    expect(known).toHaveLength(12)
    const index = page('index.html')
    const csv = page(
      `downloads/${readdirSync(join(site, 'downloads')).find((name) => name.endsWith('.csv')) ?? ''}`,
    )
    for (const { run, benchmark, deployment, value } of known) {
      const path = runPath('demo', run)
      expect(value, run).not.toBeNaN()
      expect(index, run).toContain(`<a href="${path}">${formatValue(value)}</a>`)
      const ofBenchmark = rowOf(page(benchmarkPath('demo', benchmark)), `../${path}`)
      expect(exactNumbers(ofBenchmark)[0], `${run} on its benchmark’s page`).toBe(value)
      const ofModel = rowOf(page(modelPath('demo', deployment)), `../${path}`)
      expect(exactNumbers(ofModel)[0], `${run} on its model’s page`).toBe(value)
      const line = csv.split('\r\n').find((each) => each.endsWith(run)) ?? ''
      expect(line.split(','), `${run} in the file`).toContain(String(value))
    }
  })

  test('is that of the run’s files: all metrics of its page', () => {
    let cells = 0
    for (const { run, stats } of known) {
      const [, table = ''] = /aria-label="Metrics"(.*?)<\/table>/s.exec(page(runPath('demo', run))) ?? []
      const own = stats.filter(({ name, count }) => count > 0 && name.perturbation === undefined)
      // What HELM's files lack, the jury's strict score and its coverage, stands behind the rest.
      const shown = exactNumbers(table)
      expect(shown.slice(0, own.length), run).toEqual(own.map(({ sum, count }) => sum / count))
      expect(shown.length - own.length, run).toBeLessThanOrEqual(2)
      expect(table).not.toMatch(/[a-z]_[a-z]/)
      cells += own.length
    }
    expect(cells).toBeGreaterThan(200)
  })
})

describe('any set of benchmarks', () => {
  test('50 random ones give the places and win rates of a report on that set alone', () => {
    const runs = madeUpRuns({ models: 12, benchmarks: 20 })
    const board = makeBoard('made-up', runs)
    const data = makeBoardData({ board, runs: [] })
    const random = new RandomStream(randomKey('sets of benchmarks'), 0)
    for (let draw = 0; draw < 50; draw += 1) {
      const chosen = board.benchmarks.map(({ name }) => name).filter(() => random.below(3) === 0)
      if (chosen.length === 0) continue
      const alone = makeBoard(
        'made-up',
        runs.filter(({ benchmark }) => chosen.includes(benchmark.name)),
      )
      const { all } = boardView(data, { ...DEFAULT_STATE, only: chosen.join(' ') })
      for (const row of alone.rows) {
        const shown = all.find(({ key }) => key === row.model.deployment)
        expect([shown?.place, shown?.winRate], `${row.label} on ${chosen.join(', ')}`).toEqual([
          row.place,
          row.winRate,
        ])
      }
    }
  })
})
