import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Board } from '../../../targets/board/board.ts'
import type { Paper } from '../../../targets/analysis/paper.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const BOARD =
  'Model,Mean win rate,MedQA - EM,ACI-Bench - Jury Score,PubMedQA - EM\nx,1,0.5,4,0.9\ny,0,0.75,3,0.5\n'
const COSTS =
  'Model,Benchmark,Question Type,Test Instances,Total Input Tokens,Total Output Tokens,Total Judge Input Tokens,Total Judge Output Tokens\n' +
  'gpt_4o_2024_05_13,ACI-Bench,Open,2,"1,000,000",100000,"2,000,000",300000\n' +
  'gpt_4o_2024_05_13,MedQA,Closed,2,5000000,5000000,0,0\n' +
  'unheard_of,PubMedQA,Closed,2,10,10,0,0\n'
const RATINGS =
  'username,instance_id,dataset_name,model_key,accuracy,clarity,llm_accuracy,llm_clarity\n' +
  'r1,1,aci_bench,m,1,2,2,2\nr1,2,aci_bench,m,3,3,3,3\nr1,3,aci_bench,m,5,4,4,5\n' +
  'r2,1,aci_bench,m,2,2,2,2\nr2,2,aci_bench,m,3,4,3,3\n'

const paperOf = async (args: readonly string[], cwd: string): Promise<Paper> => {
  const { code, stdout, stderr } = await medmake(['analyze', ...args, '--paper', '--json'], { cwd })
  expect(code, stderr).toBe(0)
  return (JSON.parse(stdout) as { readonly paper: Paper }).paper
}

describe('medmake analyze --paper', () => {
  it('gives the paper’s tables from its files, in whatever order, and says what cannot be given', async () => {
    const cwd = createWorkspace({ 'board.csv': BOARD, 'spent.csv': COSTS, 'people.csv': RATINGS })
    const paper = await paperOf(['people.csv', 'spent.csv', 'board.csv'], cwd)
    expect(paper.leftOut).toEqual(['MedQA'])
    expect(paper.standings.map(({ model, winRate, macroAverage }) => [model, winRate, macroAverage])).toEqual(
      [
        ['x', 1, (0.75 + 0.9) / 2],
        ['y', 0, 0.5],
      ],
    )
    expect(paper.categories).toMatchObject([
      { category: 'Clinical Note Generation', benchmarks: 1, low: 0.5, high: 0.75 },
      { category: 'Medical Research Assistance', benchmarks: 1, low: 0.5, high: 0.9 },
    ])
    expect(paper.agreement).toMatchObject([{ benchmarks: ['aci_bench'], answers: 3, clinicians: 1 }])
    // 2.50 and 10 dollars a million tokens; the judges' prices together 6.21 and 25.71. MedQA is not in the paper.
    expect(paper.costs[0]).toMatchObject({ benchmarks: 1, benchmarkTokens: 1_100_000, juryTokens: 2_300_000 })
    expect(paper.costs[0]?.benchmarkUsd).toBeCloseTo(3.5, 9)
    expect(paper.costs[0]?.juryUsd).toBeCloseTo(2 * 6.21 + 0.3 * 25.71, 9)
    expect(paper.costs[1]).toMatchObject({ model: 'unheard_of', benchmarkUsd: null, totalUsd: null })
    expect(paper.reasons.map(({ table, about }) => [table, about])).toEqual([
      [1, 'last digits'],
      [1, 'benchmarks'],
      [2, 'medi_qa'],
      [2, 'clinicians'],
      [2, 'ROUGE-L, BERTScore-F1'],
      [3, 'unheard_of'],
    ])
  })

  it('takes costs and ratings that lie beside the leaderboard, and says so', async () => {
    const cwd = createWorkspace({
      'data/board.csv': BOARD,
      'data/costs.csv': COSTS,
      'data/notes.csv': 'a\n1,2\n',
    })
    const { code, stdout, stderr } = await medmake(['analyze', 'data/board.csv', '--paper'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('costs.csv, which lies beside the leaderboard')
    expect(stdout).toContain('Table 1, 2 benchmarks (without MedQA)')
    expect(stdout).toMatch(/gpt_4o_2024_05_13 +1,100,000 +2,300,000 +\$3\.50 /)
    const none = await medmake(['analyze', 'data/costs.csv', '--paper'], { cwd })
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('analysis/no-leaderboard')
    writeFiles(cwd, { 'data/costs.csv': COSTS.replace('100000', 'many') })
    const wrong = await medmake(['analyze', 'data/board.csv', '--paper'], { cwd })
    expect(wrong.stderr).toContain('"many" is no number of tokens')
  })
})

describe('medmake report --leaderboard', () => {
  it('shows a leaderboard file as a board with its figures, in a folder of its own', async () => {
    const cwd = createWorkspace({ 'board.csv': BOARD })
    const { code, stdout, stderr } = await medmake(['report', '--leaderboard', 'board.csv', '--json'], {
      cwd,
    })
    expect(code, stderr).toBe(0)
    const { site, boards } = JSON.parse(stdout) as {
      readonly site: string
      readonly boards: readonly Board[]
    }
    expect(site).toBe(join('benchmark_output', 'leaderboards', 'board', 'index.html'))
    expect(boards[0]?.rows.map(({ label, winRate, cells }) => [label, winRate, cells[1]?.value])).toEqual([
      ['x', 2 / 3, 4],
      ['y', 1 / 3, 3],
    ])
    const page = readFileSync(join(cwd, site), 'utf8')
    expect(page).toContain('PubMedQA')
    expect(page).toContain('n not known')
    // The file tells neither requests nor values of instances.
    expect(page).not.toContain('the floor of its benchmark')
    const folder = join(cwd, site, '..')
    expect(readdirSync(folder)).toContain('figures.html')
    const figures = readFileSync(join(folder, 'figures.html'), 'utf8')
    for (const title of ['Scores by benchmark', 'Mean scores by category', 'Quality against what it takes'])
      expect(figures).toContain(title)
    expect(figures).not.toContain('intervals over instances')
    const again = await medmake(['report', '--leaderboard', 'board.csv'], { cwd })
    expect(again.stdout).toContain('unchanged: ')
    const paper = await medmake(['report', '--leaderboard', 'board.csv', '--paper', '--json'], { cwd })
    expect(
      (JSON.parse(paper.stdout) as { readonly boards: readonly Board[] }).boards[0]?.benchmarks,
    ).toHaveLength(2)
  })
})

const published = shared('published/leaderboard-2025-06.csv')

describe.skipIf(published === undefined)('the public files of the paper', () => {
  it('give its tables to the printed digit', async () => {
    const cwd = createWorkspace({})
    const paper = await paperOf([published ?? ''], cwd)
    expect(paper.benchmarks).toBe(35)
    expect(paper.standings.map(({ winRate }) => winRate?.toFixed(2)).join()).toBe(
      '0.66,0.64,0.64,0.64,0.57,0.42,0.39,0.30,0.24',
    )
    expect(
      paper.standings.map(({ winRateSd, macroAverage, macroSd }) =>
        [winRateSd, macroAverage, macroSd].map((each) => each?.toFixed(2)).join(' '),
      ),
    ).toEqual([
      '0.10 0.75 0.22',
      '0.16 0.77 0.18',
      '0.14 0.73 0.21',
      '0.13 0.73 0.21',
      '0.17 0.73 0.18',
      '0.17 0.70 0.21',
      '0.18 0.71 0.20',
      '0.13 0.69 0.22',
      '0.08 0.67 0.21',
    ])
    expect(
      paper.categories.map(({ low, high }) => `${low?.toFixed(2)} ${high?.toFixed(2)}`),
      'ranges of version 2',
    ).toEqual(['0.61 0.76', '0.74 0.85', '0.76 0.89', '0.65 0.75', '0.53 0.63'])
    const [rated] = paper.agreement
    expect(rated?.jury?.toFixed(8)).toBe('0.62475092')
    expect(rated?.clinicians?.toFixed(3)).toBe('0.532')
    expect(paper.costs.map(({ totalUsd }) => totalUsd?.toFixed(2)).join()).toBe(
      '1570.87,1536.62,1806.15,1131.02,814.74,1413.18,804.73,939.54,1722.00',
    )
    const costs = paper.costs.map(({ benchmarkTokens, juryTokens, benchmarkUsd, juryUsd }) =>
      [benchmarkTokens, juryTokens, benchmarkUsd?.toFixed(2), juryUsd?.toFixed(2)].join(' '),
    )
    expect(costs).toEqual([
      '245958343 45868483 778.68 792.19',
      '242510517 42326449 768.26 768.36',
      '334133126 68364208 848.22 957.93',
      '277273571 42864352 359.32 771.70',
      '276777154 42864352 43.04 771.70',
      '248731118 41929516 647.29 765.89',
      '248731118 41929516 38.84 765.89',
      '242895608 42121933 172.46 767.09',
      '337967189 68617978 762.50 959.50',
    ])
    expect(paper.reasons.map(({ table, about }) => [table, about])).toEqual([
      [1, 'last digits'],
      [1, 'category ranges'],
      [2, 'aci_bench'],
      [2, 'clinicians'],
      [2, 'ROUGE-L, BERTScore-F1'],
      [2, 'mtsamples_replicate'],
    ])
  })

  it('show their leaderboard with what its models cost', async () => {
    const cwd = createWorkspace({})
    copyFileSync(published ?? '', join(cwd, 'board.csv'))
    copyFileSync(shared('published/costs-2025-06.csv') ?? '', join(cwd, 'costs.csv'))
    const { stdout } = await medmake(['report', '--leaderboard', 'board.csv', '--paper', '--json'], { cwd })
    const [board] = (JSON.parse(stdout) as { readonly boards: readonly Board[] }).boards
    expect(board?.rows[0]).toMatchObject({ label: 'DeepSeek R1', model: { name: 'deepseek-ai/deepseek-r1' } })
    expect(board?.rows.every(({ spent }) => (spent?.usd ?? 0) > 0)).toBe(true)
  })
})
