import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type { Subgroups } from '../../../../targets/board/board-subgroups.ts'
import { makeBoard } from '../../../../targets/board/board.ts'
import { subgroupsTable } from '../../../../tools/site/downloads/subgroups-file.ts'
import { BySubgroup } from '../../../../tools/site/pages/benchmark/subgroups.tsx'
import { RunSubgroups } from '../../../../tools/site/pages/run/subgroups.tsx'
import { CausesTable, SpentTable } from '../../../../tools/site/pages/run/tables.tsx'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'
import { shownText, tableOf } from '../page-text.ts'

const board = makeBoard(
  's',
  ['m/a', 'm/b'].map((model) => boardRunOf({ model, values: [1, 0] })),
)

const score = (value: number, n: number, asked: number) => ({
  asked,
  n,
  value,
  interval: { low: value - 0.1, high: value + 0.1 },
  method: 'Wilson',
})
const gap = (high: number, low: number, difference: number, least: number) => ({
  high,
  low,
  difference,
  interval: { low: least, high: 2 * difference - least },
})
const subgroups: Subgroups = {
  benchmark: 'bench',
  attribute: 'patient_sex',
  groups: ['f', 'm', ''],
  withheld: 1,
  gaps: 4,
  rows: [
    {
      deployment: 'm/a',
      scores: [score(0.75, 12, 14), score(0.5, 20, 20), null],
      widest: gap(0, 1, 0.25, 0.05),
      surest: gap(0, 1, 0.25, 0.05),
    },
    {
      deployment: 'm/b',
      scores: [score(0.25, 12, 14), score(0.5, 20, 20), score(0.625, 3, 3)],
      widest: gap(2, 0, 0.375, -0.1),
      surest: gap(1, 0, 0.25, 0.02),
    },
    { deployment: 'm/c', scores: [null, null, null], widest: null, surest: null },
  ],
}

describe('scores by subgroup', () => {
  test('tell each group’s score, the widest gap hollow where it may be none, and another that is surer', () => {
    const html = renderToString(
      h(BySubgroup, {
        subgroups: [subgroups],
        linkOf: (name) => h('a', null, name),
        scale: { low: 0, high: 1 },
        file: 'f.csv',
      }),
    )
    expect(tableOf(html, 'Scores by patient sex').rows).toEqual([
      ['f'],
      ['m/a', 'dot', '0.750', '0.650 – 0.850', '12', '14'],
      ['m/b', 'dot', '0.250', '0.150 – 0.350', '12', '14'],
      ['m/c', '', '–', '–', '–', '–'],
      ['m'],
      ['m/a', 'dot', '0.500', '0.400 – 0.600', '20', '20'],
      ['m/b', 'dot', '0.500', '0.400 – 0.600', '20', '20'],
      ['m/c', '', '–', '–', '–', '–'],
      ['not stated'],
      ['m/a', '', '–', '–', '–', '–'],
      ['m/b', 'dot', '0.625', '0.525 – 0.725', '3', '3'],
      ['m/c', '', '–', '–', '–', '–'],
    ])
    expect(tableOf(html, 'Widest gaps by patient sex').rows).toEqual([
      ['m/a', 'dot', '+0.250', '+0.050 to +0.450', 'f', 'm'],
      ['m/b', 'dot hollow', '+0.375', '−0.100 to +0.850', 'not stated', 'f'],
      ['m/c', '', '–', '–', '–', '–'],
    ])
    const text = shownText(html)
    expect(text).toContain('m/b : surest is +0.250 m over f (+0.020 to +0.480).')
    expect(text).not.toContain('m/a : surest')
    expect(text).toContain('1 group of this benchmark, which is not public, is withheld')
    expect(text).toContain('so few of its answers were measured')
  })

  test('of one run tell what was asked, and of nothing that it keeps from readers', () => {
    const [row, whole] = subgroups.rows
    if (row === undefined || whole === undefined) throw new RangeError('there are rows')
    const html = renderToString(h(RunSubgroups, { subgroups: [{ ...subgroups, row }] }))
    expect(tableOf(html, 'Scores by patient sex').rows).toEqual([
      ['f', '0.750', '0.650 – 0.850', '12', '14'],
      ['m', '0.500', '0.400 – 0.600', '20', '20'],
      ['not stated', '–', '–', '–', '–'],
    ])
    const text = shownText(html)
    expect(text).toContain('Widest gap +0.250 f over m (+0.050 to +0.450).')
    expect([text.includes('is withheld'), text.includes('so few of its answers')]).toEqual([true, true])
    const told = shownText(
      renderToString(
        h(RunSubgroups, { subgroups: [{ ...subgroups, withheld: 0, row: { ...whole, widest: null } }] }),
      ),
    )
    expect(told).not.toMatch(/Widest gap|withheld|so few of its answers/)
  })

  test('are saved with every digit and the metric that they are of', () => {
    const { head, rows } = subgroupsTable({ board, subgroups: [subgroups] })
    expect(rows).toHaveLength(5)
    expect(Object.fromEntries(head.map((name, at) => [name, rows[4]?.[at]]))).toEqual({
      suite: 's',
      model: 'm/b',
      deployment: 'm/b',
      benchmark: 'bench',
      metric: 'exact_match',
      attribute: 'patient_sex',
      group: null,
      value: 0.625,
      low: 0.525,
      high: 0.725,
      interval: 'Wilson',
      n: 3,
      asked: 3,
    })
  })
})

describe('a run’s tables', () => {
  test('tell what is missing as a share of the requests, and of judges’ replies as one of the judgements', () => {
    const html = renderToString(
      h(CausesTable, {
        coverage: {
          evaluated: 40,
          measured: 30,
          floor: 0.99,
          judgements: { wanted: 120, read: 60 },
          causes: { refused: 10, 'judge-missing': 59, 'row-skipped': 60, truncated: 0 },
        },
      }),
    )
    expect(tableOf(html, 'What is missing').rows.map((row) => row.slice(1))).toEqual([
      ['10', '25.0 %', '–'],
      ['59', '–', '49.2 %'],
      ['60', '100.0 %', '–'],
    ])
    const none = { evaluated: 0, measured: 0, floor: 0.99, causes: { refused: 1 } }
    expect(tableOf(renderToString(h(CausesTable, { coverage: none })), 'What is missing').rows).toEqual([
      [expect.stringContaining('refusals'), '1'],
    ])
  })

  test('tell what was read and written, and how long a reply took', () => {
    const tokens = { inputTokens: 1200, outputTokens: 30 }
    const line = { deployment: 'm/a', calls: 6, ...tokens, seconds: 2, timed: 4, usd: 0.5 }
    const spent = [line, { ...line, judge: 'gpt', deployment: 'j', seconds: 0, timed: 0, usd: null }]
    expect(tableOf(renderToString(h(SpentTable, { spent })), 'Cost').rows).toEqual([
      ['m/a', '6', '1 200', '30', '0.50 s', '$0.50'],
      ['gpt (judge)', '6', '1 200', '30', 'not known', 'not known'],
    ])
  })
})
