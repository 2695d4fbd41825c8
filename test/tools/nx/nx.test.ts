import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { benchmarkFiles, gridConf, gridEntry, gridFiles, numbered } from '../../bench/grid-files.ts'
import { createNxWorkspace, nx } from '../../rig/nx.ts'
import { nxRun } from '../../rig/nx-tasks.ts'
import { writeFiles, type Files } from '../../rig/workspace.ts'

const REPORT = ['run', 'leaderboard:report']
const entries = (benchmarks: readonly string[], models: readonly string[]): string =>
  gridConf(benchmarks.flatMap((benchmark) => models.map((model) => gridEntry(benchmark, model))))
const both = (project: string): readonly string[] => [`${project}:generate`, `${project}:score`]
const price = (input: number): Files => ({
  'models/prices.yaml': `prices: [{ deployment: grid/m00, input: ${input}, output: 2, date: 2026-04-05, source: contract }]\n`,
})
const prompt = (text: string): string => `${text} {question}\nA. yes\nB. no\nAnswer: `

describe('three benchmarks and two models', () => {
  let cwd = ''
  beforeAll(async () => {
    cwd = createNxWorkspace({ ...gridFiles({ benchmarks: 3, models: 2, rows: 4 }), ...price(1) })
    const ignore = readFileSync(join(cwd, '.gitignore'), 'utf8')
    writeFiles(cwd, { '.gitignore': `${ignore}/benchmarks/b02/data.csv\n` })
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

  it('show the board anew once its site is gone, and are all hits then, the board from Nx’s notes', async () => {
    rmSync(join(cwd, 'benchmark_output/site'), { recursive: true })
    expect(await nxRun(REPORT, { cwd })).toMatchObject({ code: 0, ran: ['leaderboard:report'], hits: 12 })
    expect(existsSync(join(cwd, 'benchmark_output/site/index.html'))).toBe(true)
    const shown = ['--output-style=static-failures-only']
    const replayed = await nxRun([...REPORT, ...shown], { cwd })
    expect(replayed).toMatchObject({ code: 0, ran: [], hits: 13 })
    expect(replayed.output).toMatch(/Win rate[^]*grid\/m00[^]*benchmark_output\/site\/index\.html/)
  })

  it('show the board anew when a price changes, and run no pair', async () => {
    writeFiles(cwd, price(2))
    expect((await nxRun(REPORT, { cwd })).ran).toEqual(['leaderboard:report'])
  })

  it('run again for the benchmarks whose prompt or data changed, even if git ignores them, and stop at the stage whose result stayed the same', async () => {
    const file = join(cwd, 'models/m00.yaml')
    writeFiles(cwd, {
      'benchmarks/b01/prompt.txt': prompt('Other words.'),
      'benchmarks/b02/data.csv': 'question,correct_answer\nIs it?,A\n',
      'models/m00.yaml': `# A comment changes no answer.\n${readFileSync(file, 'utf8')}`,
    })
    const { ran } = await nxRun(REPORT, { cwd })
    const changed = ['grid_m00--b01', 'grid_m00--b02', 'grid_m01--b01', 'grid_m01--b02']
    expect(ran).toEqual(['grid_m00--b00:generate', ...changed.flatMap(both), 'leaderboard:report'])
  })

  it('show the board anew when its floor of coverage or a suite changes', async () => {
    writeFiles(cwd, { 'medmake.yaml': 'coverage_floor: 0.5\n' })
    expect((await nxRun(REPORT, { cwd })).ran).toContain('leaderboard:report')
    expect(readFileSync(join(cwd, 'benchmark_output/site/board.json'), 'utf8')).toContain(
      '"coverageFloor":0.5',
    )
    writeFiles(cwd, { 'targets/again.conf': entries(numbered('b', 1), numbered('m', 1)) })
    expect((await nxRun(REPORT, { cwd })).ran).toContain('leaderboard:report')
    rmSync(join(cwd, 'targets/again.conf'))
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
    writeFiles(cwd, {
      'benchmarks/b01/prompt.txt': prompt('Other words.'),
      'models/m01.yaml': `${readFileSync(join(cwd, 'models/m01.yaml'), 'utf8')}# more\n`,
    })
    const ofModel = numbered('b', 3).map((name) => `grid_m01--${name}`)
    expect(await affected()).toEqual(['grid_m00--b01', ...ofModel])
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
    const { code, output } = await nx(['graph', '--file=graph.json'], { cwd })
    expect(code, output).toBe(0)
    const { graph } = JSON.parse(readFileSync(join(cwd, 'graph.json'), 'utf8')) as {
      graph: { nodes: Readonly<Record<string, { data: { tags: readonly string[] } }>> }
    }
    const pairs = Object.keys(graph.nodes).filter((name) => name.includes('--'))
    expect(pairs).toHaveLength(481)
    const tagged = (name: string, tag: string) => graph.nodes[name]?.data.tags.includes(tag)
    const chosen = pairs.filter((name) => tagged(name, 'model:grid_m03') && !tagged(name, 'bench:b05'))
    expect(chosen).toHaveLength(36)
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
