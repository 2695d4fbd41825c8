import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { givenRows } from '../../../benchmarks/sources/given/given-table.ts'
import { listBenchmarks, type BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import { analyze, type Analysis } from '../../../targets/analysis/analysis.ts'
import { RATING, SHARE } from '../../../targets/analysis/score-table.ts'
import { leaderboardOf } from '../../../tools/analysis/leaderboard-file.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace } from '../../rig/workspace.ts'

let benchmarks: readonly BenchmarkSummary[] = []
beforeAll(async () => {
  benchmarks = await listBenchmarks({ workspace: createWorkspace() })
})
const read = (text: string): ReturnType<typeof leaderboardOf> =>
  leaderboardOf(givenRows(Buffer.from(text), 'board.csv').table, benchmarks)

describe('a leaderboard file', () => {
  it('gives each column its category and scale', () => {
    const { table, winRates } = read(
      'Model,Mean win rate,MedQA - EM,ACI-Bench - Jury Score,N2C2-CT - EM,Ours - EM\na,1,0.5,4,0.1,0.2\nb,0,0.25,1,,0.3\n',
    )
    expect(table.models).toEqual(['a', 'b'])
    expect(winRates).toEqual([1, 0])
    expect(table.columns.map(({ benchmark, category, scale }) => [benchmark, category, scale])).toEqual([
      ['MedQA', 'Clinical Decision Support', SHARE],
      ['ACI-Bench', 'Clinical Note Generation', RATING],
      ['N2C2-CT', 'Medical Research Assistance', SHARE],
      ['Ours', undefined, SHARE],
    ])
    expect(table.columns[2]?.values).toEqual([0.1, null])
    expect(table.columns[0]?.subcategory).toBe('Providing Clinical Knowledge Support')
    expect(table.columns[3]).not.toHaveProperty('subcategory')
    expect(table.columns[1]?.metric).toBe('Jury Score')
  })

  it('takes a cell of blanks for no score, and never for 0', () => {
    expect(read('Model,Mean win rate,MedQA - EM\na, ,  \nb,1, 0.5 \n')).toMatchObject({
      winRates: [null, 1],
      table: { columns: [{ values: [null, 0.5] }] },
    })
  })

  it.each(['Jury Score', 'Jury score'])(
    'takes 1s under %s for ratings, though they could be shares',
    (head) => {
      const { table } = read(`Model,ACI-Bench - ${head}\na,1\nb,1\n`)
      expect(table.columns[0]?.scale).toEqual(RATING)
    },
  )

  it.each([
    ['Name,MedQA - EM\na,1\n', 'analysis/no-leaderboard', { line: 1 }],
    ['Model,MedQA - EM\n', 'analysis/no-models', {}],
    ['Model,MedQA - EM\na,0.5\nb,high\n', 'analysis/not-a-number', { line: 3, row: 2, field: 'MedQA - EM' }],
    ['Model,MedQA - EM\na,0.5\nb,73\n', 'analysis/unknown-scale', { field: 'MedQA - EM' }],
    ['Model,MedQA - EM\na\n', 'benchmarks/ragged-row', { line: 2 }],
    // A board would show the mean of both.
    ['Model,MedQA - EM\na,0.2\nb,0.4\na,0.8\n', 'analysis/twice', { line: 4, row: 3, field: 'Model' }],
    ['Model,MedQA - EM,Ours - EM,MedQA - F1\na,0.2,1,0.8\n', 'analysis/twice', { field: 'MedQA - F1' }],
    ['Model,Task A - EM,TaskA - F1\na,0.2,0.8\n', 'analysis/twice', { field: 'TaskA - F1' }],
  ])('is refused with its place: %j', async (text, code, where) => {
    expect(await problemOf(() => read(text))).toMatchObject({ code, where })
  })

  it('is not quoted where its first line is a sentence, as of another table', async () => {
    const found = await problemOf(() => read('Mr Miller has smoked since 1980.,MedQA - EM\na,1\n'))
    expect(found?.message).toMatch(/first column is \[32 characters withheld/)
  })
})

const file = shared('published/leaderboard-2025-06.csv')

/** Win rates as published; the rest as pandas computes them from the file by the paper's formulas. */
const TABLE_1 = [
  ['DeepSeek R1', 0.662, 0.1087, 0.7528, 0.2142],
  ['o3-mini (2025-01-31)', 0.66, 0.1515, 0.7729, 0.1797],
  ['Claude 3.5 Sonnet (20241022)', 0.632, 0.1491, 0.7363, 0.2022],
  ['Claude 3.7 Sonnet (20250219)', 0.628, 0.1474, 0.7345, 0.2055],
  ['GPT-4o (2024-05-13)', 0.579, 0.1729, 0.7373, 0.1792],
  ['Gemini 2.0 Flash', 0.431, 0.1759, 0.7084, 0.2025],
  ['GPT-4o mini (2024-07-18)', 0.372, 0.1704, 0.712, 0.1943],
  ['Llama 3.3 Instruct (70B)', 0.301, 0.1455, 0.6952, 0.2135],
  ['Gemini 1.5 Pro (001)', 0.235, 0.0843, 0.675, 0.2049],
] as const

/** Lowest and highest model. Note generation, research and administration as the paper's abstract has them. */
const CATEGORIES = [
  ['Clinical Decision Support', 12, '0.63', '0.77'],
  ['Clinical Note Generation', 6, '0.74', '0.85'],
  ['Patient Communication and Education', 8, '0.76', '0.89'],
  ['Medical Research Assistance', 6, '0.65', '0.75'],
  ['Administration and Workflow', 5, '0.53', '0.63'],
] as const

describe.skipIf(file === undefined)("the paper's own leaderboard (absent: shared/published)", () => {
  const analysis = (): Analysis => {
    const { table, winRates } = read(readFileSync(file ?? '', 'utf8'))
    return analyze('published', table, { winRates })
  }

  it('has 37 benchmarks, each in a category', () => {
    const { heatmap, unscaled } = analysis()
    expect(heatmap).toHaveLength(37)
    expect(heatmap.filter(({ category }) => category === null)).toEqual([])
    expect(unscaled).toEqual([])
  })

  it('gives Table 1 in its order, and win rates but for the rounding of scores', () => {
    const { standings, winRateGap } = analysis()
    expect(standings.map(({ model }) => model)).toEqual(TABLE_1.map(([model]) => model))
    expect(winRateGap).toBeLessThan(0.0022)
    for (const [index, [, winRate, winRateSd, macroAverage, macroSd]] of TABLE_1.entries()) {
      const found = standings[index]
      expect(Math.abs((found?.winRate ?? NaN) - winRate)).toBeLessThan(0.0022)
      expect(found?.winRateSd).toBeCloseTo(winRateSd, 4)
      expect(found?.macroAverage).toBeCloseTo(macroAverage, 4)
      expect(found?.macroSd).toBeCloseTo(macroSd, 4)
    }
  })

  it('gives the categories their published ranges', () => {
    const found = analysis().categories.map(({ category, benchmarks: own, values }) => {
      const known = values.map((value) => value ?? NaN)
      return [category, own.length, Math.min(...known).toFixed(2), Math.max(...known).toFixed(2)]
    })
    expect(found).toEqual(CATEGORIES)
  })
})
