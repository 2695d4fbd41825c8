import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { benchmarkFiles, gridConf, gridEntry, gridFiles, numbered } from '../../bench/grid-files.ts'
import { createNxWorkspace, nx } from '../../rig/nx.ts'
import { nxRun } from '../../rig/nx-tasks.ts'
import { writeFiles } from '../../rig/workspace.ts'

const REPORT = ['run', 'leaderboard:report']
const entries = (benchmarks: readonly string[], models: readonly string[]): string =>
  gridConf(benchmarks.flatMap((benchmark) => models.map((model) => gridEntry(benchmark, model))))
const both = (project: string): readonly string[] => [`${project}:generate`, `${project}:score`]
const prompt = (text: string): string => `${text} {question}\nA. yes\nB. no\nAnswer: `

describe('three benchmarks and two models', () => {
  let cwd = ''
  beforeAll(async () => {
    cwd = createNxWorkspace(gridFiles({ benchmarks: 3, models: 2, rows: 4 }))
    const { code, ran, output } = await nxRun(REPORT, { cwd })
    expect({ code, ran: ran.length }, output).toEqual({ code: 0, ran: 13 })
  })

  it('leave digests and no text for Nx to keep', () => {
    const file = (name: string): unknown =>
      JSON.parse(readFileSync(join(cwd, `cache/results/grid_m00--b00/${name}.json`), 'utf8'))
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown
    expect(file('generate')).toEqual({ run: 'b00:model=grid_m00', completions: digest })
    expect(file('score')).toEqual({ run: 'b00:model=grid_m00', record: digest })
  })

  it('are all hits the second time, show the board again from Nx’s notes, and anew once its site is gone', async () => {
    const shown = ['--output-style=static-failures-only']
    const replayed = await nxRun([...REPORT, ...shown], { cwd })
    expect(replayed).toMatchObject({ code: 0, ran: [], hits: 13 })
    expect(replayed.output).toMatch(/Win rate[^]*grid\/m00[^]*benchmark_output\/site\/index\.html/)
    rmSync(join(cwd, 'benchmark_output/site'), { recursive: true })
    expect(await nxRun(REPORT, { cwd })).toMatchObject({ code: 0, ran: ['leaderboard:report'] })
    expect(existsSync(join(cwd, 'benchmark_output/site/index.html'))).toBe(true)
    expect(await nxRun(REPORT, { cwd })).toMatchObject({ ran: [] })
  })

  it('show the board anew when a price changes, and run no pair', async () => {
    const price = (input: number): string =>
      `prices: [{ deployment: grid/m00, input: ${input}, output: 2, date: 2026-04-05, source: contract }]\n`
    writeFiles(cwd, { 'models/prices.yaml': price(1) })
    expect((await nxRun(REPORT, { cwd })).ran).toEqual(['leaderboard:report'])
    writeFiles(cwd, { 'models/prices.yaml': price(2) })
    expect((await nxRun(REPORT, { cwd })).ran).toEqual(['leaderboard:report'])
  })

  it('run again for the benchmark whose prompt changed, and for no other', async () => {
    writeFiles(cwd, { 'benchmarks/b01/prompt.txt': prompt('Other words.') })
    const { ran } = await nxRun(REPORT, { cwd })
    expect(ran).toEqual([...both('grid_m00--b01'), ...both('grid_m01--b01'), 'leaderboard:report'])
  })

  it('stop at the stage whose result stayed the same', async () => {
    const file = join(cwd, 'models/m00.yaml')
    writeFiles(cwd, { 'models/m00.yaml': `# A comment changes no answer.\n${readFileSync(file, 'utf8')}` })
    const { ran } = await nxRun(REPORT, { cwd })
    expect(ran).toEqual([
      ...numbered('b', 3).map((name) => `grid_m00--${name}:generate`),
      'leaderboard:report',
    ])
  })

  it('show the board anew when its floor of coverage changes', async () => {
    writeFiles(cwd, { 'medmake.yaml': 'coverage_floor: 0.5\n' })
    expect((await nxRun(REPORT, { cwd })).ran).toContain('leaderboard:report')
    expect(readFileSync(join(cwd, 'benchmark_output/site/board.json'), 'utf8')).toContain(
      '"coverageFloor":0.5',
    )
    rmSync(join(cwd, 'medmake.yaml'))
    expect((await nxRun(REPORT, { cwd })).code).toBe(0)
  })

  it('see an edit of data that git ignores', async () => {
    const ignore = readFileSync(join(cwd, '.gitignore'), 'utf8')
    writeFiles(cwd, { '.gitignore': `${ignore}/benchmarks/b02/data.csv\n` })
    expect(await nxRun(REPORT, { cwd })).toMatchObject({ code: 0 })
    writeFiles(cwd, { 'benchmarks/b02/data.csv': 'question,correct_answer\nIs it?,A\n' })
    const { ran } = await nxRun(REPORT, { cwd })
    expect(ran).toEqual([...both('grid_m00--b02'), ...both('grid_m01--b02'), 'leaderboard:report'])
  })

  it('are looked up in the store alone when a benchmark comes and when it goes', async () => {
    const models = numbered('m', 2)
    writeFiles(cwd, {
      ...benchmarkFiles('b03', 4),
      'targets/grid.conf': entries(numbered('b', 4), models),
    })
    const { ran } = await nxRun(REPORT, { cwd })
    const scored = (tasks: readonly string[]): readonly string[] =>
      tasks.filter((task) => !task.endsWith(':generate'))
    expect(scored(ran)).toEqual(['grid_m00--b03:score', 'grid_m01--b03:score', 'leaderboard:report'])
    writeFiles(cwd, { 'targets/grid.conf': entries(numbered('b', 3), models) })
    expect(await nxRun(['run-many', '-t', 'score'], { cwd })).toMatchObject({ ran: [], hits: 12 })
  })

  it('run again when the suite asks for other instances', async () => {
    writeFiles(cwd, { 'medmake.yaml': 'max_eval_instances: 2\n' })
    const { ran } = await nxRun(['run', 'grid_m00--b00:score'], { cwd })
    expect(ran).toEqual(both('grid_m00--b00'))
  })
})

describe('git', () => {
  it('tells Nx which pairs an edit touches', async () => {
    const cwd = createNxWorkspace(gridFiles({ benchmarks: 3, models: 2, rows: 2 }))
    const git = (...args: string[]): Promise<unknown> =>
      execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd })
    await git('init', '-q')
    await git('add', '-A')
    await git('commit', '-qm', 'Start')
    const affected = async (): Promise<readonly string[]> => {
      const { output } = await nx(['show', 'projects', '--affected', '--base=HEAD'], { cwd })
      return output
        .split('\n')
        .filter((line) => line.includes('--'))
        .sort()
    }
    writeFiles(cwd, { 'benchmarks/b01/prompt.txt': prompt('Other words.') })
    expect(await affected()).toEqual(['grid_m00--b01', 'grid_m01--b01'])
    await git('checkout', '-q', '.')
    writeFiles(cwd, { 'models/m01.yaml': `${readFileSync(join(cwd, 'models/m01.yaml'), 'utf8')}# more\n` })
    expect(await affected()).toEqual(numbered('b', 3).map((name) => `grid_m01--${name}`))
    await git('checkout', '-q', '.')
    writeFiles(cwd, {
      'targets/more.conf': entries(['b00'], ['m00']),
      'targets/grid.conf': entries(['b02'], ['m00']),
    })
    expect(await affected()).toEqual(['grid_m00--b00', 'grid_m00--b02'])
  })
})

describe('a MedHELM-sized workspace', () => {
  it('is 481 projects with tags to choose by', async () => {
    const cwd = createNxWorkspace(gridFiles({ benchmarks: 37, models: 13, rows: 1 }))
    const { output } = await nx(['show', 'projects'], { cwd })
    expect(output.split('\n').filter((line) => line.includes('--'))).toHaveLength(481)
    const chosen = await nx(['show', 'projects', '-p', 'tag:model:grid_m03,!tag:bench:b05'], { cwd })
    expect(chosen.output.trim().split('\n')).toHaveLength(36)
  })
})

describe('a mistake in a suite', () => {
  it('is told with its place', async () => {
    const cwd = createNxWorkspace({
      ...gridFiles({ benchmarks: 1, models: 1, rows: 1 }),
      'targets/grid.conf': entries(['b00'], ['m01']),
    })
    const { code, output } = await nx(['show', 'projects'], { cwd })
    expect(code).toBe(1)
    expect(output).toMatch(/grid\.conf:2:.*no deployment serves grid\/m01 \[models\/unknown\]/)
  })
})
