import { describe, expect, test } from 'vitest'
import type { Analysis } from '../../../targets/analysis/analysis.ts'
import type { Paper } from '../../../targets/analysis/paper.ts'
import { chooseScores } from '../../../tools/analysis/choose-scores.ts'
import { csvAnalysis, formatAnalysis, latexAnalysis } from '../../../tools/analysis/format-analysis.ts'
import { paperText } from '../../../tools/analysis/format-paper.ts'
import { gridOf, type TableName } from '../../../tools/analysis/tables.ts'
import { problemOf } from '../../rig/problem-of.ts'

const standing = (model: string, winRate: number | null, winRateBenchmarks: number) => ({
  model,
  winRate,
  winRateSd: 0.125,
  winRateBenchmarks,
  macroAverage: 0.6666,
  macroSd: 0.25,
})

const score = (value: number, n: number, asked: number) => ({
  asked,
  n,
  value,
  interval: { low: value - 0.1, high: value + 0.1 },
  method: 'Wilson',
})
const gap = { high: 1, low: 0, difference: 0.3, interval: { low: 0.1, high: 0.5 } }

const analysis = {
  name: 'main',
  standings: [standing('a', 0.75, 3), standing('b', 0.5, 2), standing('none', null, 0)],
  models: ['a', 'b', 'none'],
  categories: [{ category: 'Notes', benchmarks: ['x', 'y'], values: [0.5, null, null] }],
  subcategories: [{ category: 'Visits', benchmarks: ['x'], values: [0.5, 0.25, null] }],
  heatmap: [{ benchmark: 'x', category: 'Notes', subcategory: null, values: [0.5, 0.25, null] }],
  unscaled: ['words'],
  unshared: ['solo'],
  winRateGap: 0.012_34,
  detectable: [
    {
      benchmark: 'x',
      pairs: 3,
      still: 1,
      instances: [20, 40],
      mean: 0.1,
      sd: 0.02,
      asPublished: { mean: 0.2, sd: 0.03 },
    },
    {
      benchmark: 'y',
      pairs: 1,
      still: 0,
      instances: [20, 20],
      mean: null,
      sd: null,
      asPublished: { mean: 0, sd: 0 },
    },
  ],
  undetectable: [
    { benchmark: 'words', lacks: 'scale' },
    { benchmark: 'solo', lacks: 'pairs' },
  ],
  subgroups: [
    {
      benchmark: 'x',
      attribute: 'sex',
      groups: ['f', ''],
      withheld: 2,
      gaps: 1,
      rows: [
        {
          deployment: 'm/a',
          model: 'a',
          scores: [score(0.5, 9, 10), score(0.8, 30, 31)],
          widest: gap,
          surest: null,
        },
        { deployment: 'm/b', model: 'b', scores: [null, score(0.25, 30, 30)], widest: null, surest: null },
      ],
    },
  ],
} as unknown as Analysis

const rowsOf = (table: TableName) => gridOf(analysis, table).rows

describe('the tables of an analysis', () => {
  test('have every value under its head', () => {
    expect(gridOf(analysis, 'standings').heads).toEqual([
      'Model',
      'Win rate',
      'Win rate SD',
      'Macro-average',
      'SD',
    ])
    expect(rowsOf('standings')[0]).toEqual(['a', 0.75, 0.125, 0.6666, 0.25])
    expect(gridOf(analysis, 'categories')).toMatchObject({
      heads: ['Model', 'Notes (2)'],
      rows: [
        ['a', 0.5],
        ['b', null],
        ['none', null],
      ],
    })
    expect(rowsOf('subcategories')).toEqual([['Visits', '1', 0.5, 0.25, null]])
    expect(rowsOf('heatmap')).toEqual([['x', 'Notes', 0.5, 0.25, null]])
  })

  test('tell of detectable effects the pairs, those without spread, and from how many instances on', () => {
    expect(gridOf(analysis, 'mde').heads.slice(1, 5)).toEqual(['Pairs', 'Without spread', 'Instances', 'MDE'])
    expect(rowsOf('mde')).toEqual([
      ['x', '3', '1', '20 to 40', 0.1, 0.02, 0.2, 0.03],
      ['y', '1', '0', '20', null, null, 0, 0],
    ])
  })

  test('tell of subgroups those that a model has, and of gaps which group is the higher', () => {
    expect(rowsOf('subgroups').map((row) => [row[2], row[3], row[4], row[7], row[8]])).toEqual([
      ['f', 'a', 0.5, '9', '10'],
      ['not stated', 'a', 0.8, '30', '31'],
      ['not stated', 'b', 0.25, '30', '30'],
    ])
    expect(rowsOf('gaps')).toEqual([['x', 'sex', 'a', 0.3, 0.1, 0.5, 'not stated', 'f', '2']])
  })

  test('are shown in three digits with what no mean takes in, in files whole, in LaTeX in two', () => {
    const text = formatAnalysis(analysis, undefined)
    expect(text).toMatch(/^a +0\.750 +0\.125 +0\.667 +0\.250$/m)
    expect(text).toContain('Its own win rates are at most 0.0123 away from these.')
    expect(text).toContain('Last, as ranked scores are missing: b (2 of 3).')
    expect(text).toContain('In no mean, as fewer than two models have a ranked score: solo.')
    expect(text).toContain(
      'In win rates only, as nobody says what is better or what their scores can be, or some lie beyond: words.',
    )
    expect(text).not.toContain('Normalised score of each benchmark')
    for (const shown of [text, formatAnalysis(analysis, 'mde')]) {
      expect(shown).toContain('Without an MDE, as their scales have no ends: words.')
      expect(shown).toContain('Without an MDE, as no two models share instances: solo.')
    }
    expect(formatAnalysis(analysis, 'heatmap')).not.toContain('Without an MDE')
    const whole = {
      ...analysis,
      winRateGap: null,
      unshared: [],
      unscaled: [],
      standings: analysis.standings.slice(0, 1),
    }
    expect(formatAnalysis(whole, 'standings')).not.toMatch(/away from|Last, as|In no mean|In win rates only/)
    expect(formatAnalysis({ ...analysis, heatmap: [] }, 'heatmap')).toContain(
      'There is nothing to show as heatmap.',
    )
    expect(formatAnalysis(analysis, 'heatmap')).not.toContain('nothing to show')
    expect(csvAnalysis(analysis, 'standings').split('\n')[1]).toBe('a,0.75,0.125,0.6666,0.25')
    expect(latexAnalysis(analysis, 'standings')).toContain('a & 0.75 & 0.13 & 0.67 & 0.25')
  })
})

test('A choice of models and benchmarks keeps their scores, and no win rate that is of others', async () => {
  const table = {
    models: ['a', 'b', 'c'],
    columns: [
      { benchmark: 'X', category: 'Notes', values: [1, 2, 3] },
      { benchmark: 'Y', values: [4, null, 6] },
    ],
  }
  const all = { table, winRates: [0.9, 0.5, 0.1] }
  const known = { file: 'f.csv', benchmarks: [] }
  const chosen = (models: readonly string[] | undefined, groups: readonly string[] | undefined) => {
    const { table: own, winRates } = chooseScores(all, { models, groups }, known)
    return [own.models, own.columns.map(({ benchmark, values }) => [benchmark, values]), winRates]
  }
  expect(chosen(undefined, undefined)).toEqual([
    ['a', 'b', 'c'],
    [
      ['X', [1, 2, 3]],
      ['Y', [4, null, 6]],
    ],
    [0.9, 0.5, 0.1],
  ])
  expect(chosen(['c', 'b'], undefined)).toEqual([
    ['b', 'c'],
    [
      ['X', [2, 3]],
      ['Y', [null, 6]],
    ],
    [null, null],
  ])
  expect(chosen(undefined, ['Notes'])).toEqual([['a', 'b', 'c'], [['X', [1, 2, 3]]], [null, null, null]])
  expect((await problemOf(() => chosen(['d'], undefined)))?.code).toBe('analysis/unknown-model')
})

test('The paper’s tables have its digits, and say what a price that nobody knows makes unknown', () => {
  const paper = {
    standings: [standing('a', 0.666, 2)],
    benchmarks: 35,
    leftOut: ['MedQA'],
    categories: [{ category: 'Notes', benchmarks: 4, low: 0.1, high: 0.9 }],
    agreement: [
      {
        benchmarks: ['aci_bench', 'medi_qa'],
        answers: 31,
        jury: 0.47,
        juryInterval: { low: 0.2, high: 0.7 },
        juryByText: 0.5,
        metrics: [
          { name: 'rouge_l', icc: 0.36 },
          { name: 'bert', icc: 0.44 },
        ],
        clinicians: 0.43,
      },
      {
        benchmarks: ['aci_bench'],
        answers: 20,
        jury: null,
        juryInterval: null,
        juryByText: null,
        metrics: [{ name: 'bert', icc: 0.4 }],
        clinicians: null,
      },
    ],
    costs: [
      {
        model: 'a',
        benchmarkTokens: 1_234_567,
        juryTokens: 89,
        benchmarkUsd: 12.345,
        juryUsd: null,
        totalUsd: null,
      },
    ],
    reasons: [{ table: 1, about: 'MedQA', reason: 'left out' }],
  } as unknown as Paper
  const text = paperText(paper)
  expect(text).toContain('Table 1, 35 benchmarks (without MedQA)')
  expect(text).toMatch(/^a +0\.67 +0\.13 +0\.67 +0\.25$/m)
  expect(text).toMatch(/^Notes +4 +0\.10 +0\.90$/m)
  expect(text).toMatch(/^aci_bench \+ medi_qa +31 +0\.470 +0\.20 to 0\.70 +0\.500 +0\.360 +0\.440 +0\.430$/m)
  expect(text).toMatch(/^aci_bench +20 +– +– +– +– +0\.400 +–$/m)
  expect(text).toMatch(/^a +1,234,567 +89 +\$12\.3[45] +unknown +unknown$/m)
})
