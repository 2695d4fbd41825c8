import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../../targets/board/board.ts'
import type { SiteJudges } from '../../../../tools/site/content/stored-judges.ts'
import { judgesPage } from '../../../../tools/site/pages/judges/page.tsx'
import type { SiteSuite } from '../../../../tools/site/site.ts'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'
import { shownText, tableOf } from '../page-text.ts'

const figure = (value: number, low: number, high: number) => ({ value, interval: { low, high } })

const judgesOf = (more: Partial<SiteJudges> = {}): SiteJudges => ({
  benchmark: 'bench:ward=surgery',
  column: 'bench',
  runs: {},
  answers: 40,
  alpha: null,
  pairs: [],
  judges: [],
  kinship: [],
  split: [],
  divided: [],
  coverage: [],
  ...more,
})

const board = makeBoard('s', [
  boardRunOf({ model: 'm/a', values: [1, 1, 0] }),
  boardRunOf({ model: 'm/b', values: [1, 0, 0] }),
])

const pageOf = (judges: readonly SiteJudges[], more: Partial<SiteSuite> = {}): string => {
  const [file] = [...judgesPage.files({ suites: [{ board, runs: [], judges, ...more }], navigation: [] })]
  return file?.text ?? ''
}

const verdict = (judges: readonly SiteJudges[]): string =>
  shownText(/<p class="standfirst">(.*?)<\/p>/s.exec(pageOf(judges))?.[1] ?? '')

describe('the verdict on judges', () => {
  test('counts on how many benchmarks they surely agree, and surely not, by both ends of the interval', () => {
    const of = (value: number, low: number, high: number) => judgesOf({ alpha: figure(value, low, high) })
    expect(
      verdict([of(0.8, 0.667, 0.9), of(0.8, 0.66, 0.9), of(0.5, 0.3, 0.667), of(0.5, 0.3, 0.66)]),
    ).toContain('surely agree (α of 0.667 and more) on 1 of 4 benchmarks, surely not on 1')
    expect(verdict([judgesOf()])).toContain('How the judges agree cannot be told')
  })

  test('names a benchmark of which no judgement could be read where they count, and in no figure', () => {
    const coverage = [{ judge: 'x', asked: 9, counted: 0, unreadable: 9, outOfRange: 0 }]
    const page = pageOf([judgesOf({ alpha: figure(0.8, 0.7, 0.9) }), judgesOf({ answers: 0, coverage })])
    expect(tableOf(page, 'Judgements that count').rows).toHaveLength(1)
    expect(tableOf(page, 'Agreement between judges').rows).toHaveLength(1)
    expect(page).toContain('0 of 9 judgements count')
  })

  test('names judges of whom no judgement counts', () => {
    const coverage = (judge: string, asked: number, counted: number) => ({
      judge,
      asked,
      counted,
      unreadable: asked - counted,
      outOfRange: 0,
    })
    expect(
      verdict([judgesOf({ coverage: [coverage('x', 9, 0), coverage('y', 9, 1), coverage('z', 0, 0)] })]),
    ).toContain(' No judgement counts of x on bench (surgery).')
    expect(verdict([judgesOf({ coverage: [coverage('y', 9, 1), coverage('z', 0, 0)] })])).not.toContain(
      'counts of',
    )
  })

  test('tells who favours or spares its own family, by p adjusted over all', () => {
    const kin = (
      family: string,
      delta: number | null,
      holm: number | null,
    ): SiteJudges['kinship'][number] => ({
      family,
      found:
        delta === null
          ? null
          : ({
              delta,
              interval: { low: delta - 0.1, high: delta + 0.1 },
            } as SiteJudges['kinship'][number]['found']),
      holm,
    })
    const told = (...kinship: readonly SiteJudges['kinship'][number][]) => verdict([judgesOf({ kinship })])
    expect(
      told(
        kin('Acme', 0.4, 0.049),
        kin('Brook', -0.3, 0.01),
        kin('Cove', 0.2, 0.05),
        kin('Dale', null, null),
      ),
    ).toContain(
      'Acme favours its own on bench (surgery); Brook is harder on its own on bench (surgery) (Holm over all 4).',
    )
    expect(told(kin('Cove', 0.2, 0.05), kin('Dale', null, null))).toContain(
      'None is shown to prefer, or to spare, its own family.',
    )
    expect(told(kin('Dale', null, null))).toContain('cannot be told: that takes judges')
    const page = pageOf([judgesOf({ kinship: [kin('Acme', 0.4, 0.049), kin('Brook', 0.05, 0.5)] })])
    expect(tableOf(page, 'Own family').rows).toEqual([
      [
        'bench (surgery)',
        'dot',
        '+0.400 +0.300 to +0.500',
        '0.049',
        'dot hollow',
        '+0.050 −0.050 to +0.150',
        '0.500',
      ],
    ])
  })
})

describe('the tables of judges', () => {
  test('rank by what clinicians would give where each model has twenty labels, and say what the jury gives more', () => {
    const rows = (labels: number): readonly (readonly string[])[] => {
      const given = board.rows.map((row, at) => ({
        ...row,
        cells: row.cells.map((cell) => ({
          ...cell,
          calibrated: {
            value: 0.25 + at / 4,
            interval: { low: 0.1, high: 0.6 },
            labels: at === 0 ? labels : 20,
            ...(at === 0 ? { bias: { value: 0.3, interval: { low: 0.2, high: 0.4 } } } : {}),
          },
        })),
      }))
      const page = pageOf([judgesOf()], { board: { ...board, rows: given } })
      return tableOf(page, 'Scores as clinicians would give them').rows.map((row) => row.slice(5, 7))
    }
    expect(rows(20)).toEqual([
      ['2', '+0.300 +0.200 to +0.400'],
      ['1', '−0.167'],
    ])
    // A column of dashes is left out.
    expect(rows(19).map(([first]) => first)).toEqual(['+0.300 +0.200 to +0.400', '−0.167'])
  })

  test('have the agreement of all and of each two', () => {
    const page = pageOf([
      judgesOf({
        alpha: figure(0.7, 0.6, 0.8),
        judges: ['x', 'y', 'z'].map((judge) => ({ judge, family: judge, leniency: null })),
        pairs: [
          { judges: ['x', 'y'], answers: 30, alpha: figure(0.5, 0.4, 0.6), within: 0.25 },
          { judges: ['x', 'z'], answers: 0, alpha: null, within: 0 },
        ],
      }),
      judgesOf({ benchmark: 'other', column: 'other' }),
    ])
    expect(tableOf(page, 'Agreement between judges').rows).toEqual([
      ['bench (surgery)', 'dot', '0.700', '0.600 – 0.800', '3', '40'],
      ['other', '', '–', '–', '0', '40'],
    ])
    // On an axis from 0 to 1 the dot stands at α, on a line between the interval's ends.
    expect(page).toMatch(/<line class="range" x1="60%" x2="80%"[^>]*><\/line><circle class="dot" cx="70%"/)
    expect(tableOf(page, 'Agreement of each two judges').rows).toEqual([
      ['bench (surgery)', 'x, y', '0.500', '0.400 – 0.600', '25.0 %', '30'],
      ['bench (surgery)', 'x, z', '–', '–', '–', '0'],
    ])
  })

  test('call a judge lenient or strict where its interval leaves out 0', () => {
    const lean = (judge: string, value: number, low: number, high: number, family = judge) => ({
      judge,
      family,
      leniency: figure(value, low, high),
    })
    const page = pageOf([
      judgesOf({
        judges: [lean('x', 0.5, 0.1, 0.9, 'Acme'), lean('y', -0.5, -0.9, -0.1), lean('z', 0.1, 0, 0.2)],
      }),
    ])
    const { head, rows } = tableOf(page, 'Leniency')
    expect(head.some((text) => text.startsWith('x (Acme)'))).toBe(true)
    expect(rows[0]?.filter((text) => text.startsWith('dot'))).toEqual(['dot', 'dot', 'dot hollow'])
    expect(rows[0]).toContain('−0.500 −0.900 to −0.100')
    // Of what nobody knows the width, nothing is sure.
    const open = { judge: 'w', family: 'w', leniency: { value: 0.5, interval: null } }
    expect(tableOf(pageOf([judgesOf({ judges: [open] })]), 'Leniency').rows).toEqual([
      ['bench (surgery)', 'dot hollow', '+0.500'],
    ])
    // The axis has a sign on both sides of 0, which has none.
    expect(page).toMatch(/>\+[\d.]+</)
    expect(page).not.toContain('>+0<')
  })

  test('count judgements by judge and altogether, with what could not be read and what lies off the scale', () => {
    const page = pageOf([
      judgesOf({ coverage: [{ judge: 'x', asked: 40, counted: 30, unreadable: 7, outOfRange: 3 }] }),
      judgesOf({ coverage: [{ judge: 'y', asked: 0, counted: 0, unreadable: 0, outOfRange: 0 }] }),
    ])
    expect(tableOf(page, 'Judgements that count').rows).toEqual([
      ['bench (surgery)', 'x', '40', '30', '75.0 %', '7', '3'],
      ['bench (surgery)', 'y', '0', '0', '–', '0', '0'],
    ])
    expect(page).toContain('30 of 40 judgements count, 75.0 %')
  })

  test('tell what a judge says when it is asked the same again', () => {
    const repeat = {
      benchmark: 'bench',
      judge: 'x',
      compared: 20,
      identical: 0.5,
      sd: 0.25,
      maxChange: 2,
      icc: { value: 0.9, interval: { low: 0.8, high: 0.95 } },
    } as unknown as NonNullable<SiteJudges['repeats']>[number]
    expect(tableOf(pageOf([judgesOf({ repeats: [repeat] })]), 'Asked the same again').rows).toEqual([
      ['bench (surgery)', 'x', '20', '50.0 %', '0.250', '2.000', '0.900', '0.800 – 0.950'],
    ])
    expect(pageOf([judgesOf()])).toContain('No judge was asked twice.')
  })

  test('list answers and instances on which judges differ most, fifteen of them, the widest first', () => {
    const split = Array.from({ length: 16 }, (_, at) => ({
      instance: `i${at}`,
      model: 'm/a',
      scores: [
        { judge: 'x', score: 5 },
        { judge: 'y', score: 5 - at / 10 },
      ],
    }))
    const divided = [0.5, 2, 1].map((spread, at) => ({
      instance: `d${at}`,
      model: 'm/a',
      answers: 2,
      spread,
    }))
    const page = pageOf([
      judgesOf({
        split: [
          ...split,
          {
            instance: 'low',
            model: 'm/b',
            scores: [
              { judge: 'x', score: 1.5 },
              { judge: 'y', score: 1 },
            ],
          },
        ],
        divided,
      }),
    ])
    const { rows } = tableOf(page, 'Answers on which judges differ most')
    expect(rows).toHaveLength(15)
    expect(rows[0]).toEqual(['i15', 'm/a', 'bench (surgery)', 'y 3.5, x 5.0'])
    // Not by how high the scores are.
    expect(rows.findIndex(([id]) => id === 'low')).toBeGreaterThan(rows.findIndex(([id]) => id === 'i6'))
    expect(rows.findIndex(([id]) => id === 'low')).toBeLessThan(rows.findIndex(([id]) => id === 'i4'))
    expect(
      tableOf(page, 'Instances on which judges differ most').rows.map(([id, , spread]) => [id, spread]),
    ).toEqual([
      ['d1', '2.000'],
      ['d2', '1.000'],
      ['d0', '0.500'],
    ])
  })
})

describe('what clinicians said', () => {
  const estimate = (value: number | null, low?: number, high = 0.9) => ({
    value,
    interval: low === undefined ? null : { low, high },
    ...(low === undefined ? { reason: 'too few answers' } : {}),
  })

  test('is hollow unless it is surely above 0, with the reason where there is no interval', () => {
    const clinicians = {
      raters: 3,
      ratings: 60,
      answers: 20,
      drawn: { least: 0.1, most: 0.5 },
      clinicians: estimate(0.6, 0.1),
      jury: estimate(0.4, -0.1),
      spearman: estimate(0.5),
      lead: estimate(null),
    }
    const page = pageOf([judgesOf({ clinicians })])
    expect(tableOf(page, 'Agreement with clinicians').rows).toEqual([
      [
        'bench (surgery) 60 ratings by 3 clinicians of 20 answers, drawn in unequal shares: of these answers, not of all',
      ],
      ['Clinicians among themselves, ICC(3,k)', 'dot', '0.600', '0.100 – 0.900'],
      ['Jury and their mean, ICC(3,k)', 'dot hollow', '0.400', '−0.100 to 0.900'],
      ['Jury and their mean, Spearman', 'dot hollow', '0.500', 'too few answers'],
    ])
    expect(page).not.toContain('Nobody rated')
    expect(pageOf([judgesOf()])).toContain('Nobody rated')
  })

  test('stands beside the jury’s mean, with how much more the jury gives', () => {
    const run = boardRunOf({
      model: 'm/a',
      values: [4, 3],
      isShare: false,
      isBinary: false,
      range: { low: 1, high: 5 },
    })
    const calibrated = { value: 3.25, interval: { low: 3, high: 3.4 }, labels: 12 }
    const page = pageOf([judgesOf()], { board: makeBoard('s', [{ ...run, calibrated }]) })
    expect(tableOf(page, 'Scores as clinicians would give them').rows).toEqual([
      ['m/a', 'bench', '3.500', '3.250', '3.000 – 3.400', '+0.250', '12'],
    ])
    expect(page).not.toContain('Nobody rated')
  })
})

test('the jury without each judge shows the scores and the pairs that swap, of juries of several', () => {
  const standing = (score: number) => ({ score, rank: 1, instances: 4 })
  const row = (model: string, all: number, without: Readonly<Record<string, number>>) => ({
    model,
    asked: 4,
    all: standing(all),
    without: new Map(Object.entries(without).map(([judge, score]) => [judge, standing(score)])),
  })
  const dropout = [
    {
      benchmark: 'bench:ward=surgery',
      rows: [row('m/a', 4, { x: 3.5, y: 4.5 }), row('m/b', 3, { x: 3.75, y: 2.25 })],
      swaps: new Map([
        ['x', 1],
        ['y', 0],
      ]),
    },
    { benchmark: 'single', rows: [row('m/a', 4, { x: 0 })], swaps: new Map([['x', 0]]) },
    {
      benchmark: 'third',
      rows: [row('m/a', 4, { y: 3, z: 2 })],
      swaps: new Map([
        ['y', 0],
        ['z', null],
      ]),
    },
  ]
  const page = pageOf([], { dropout })
  expect(tableOf(page, 'Pairs of models that swap places')).toEqual({
    head: ['Pairs of models that swap places', 'Without x', 'Without y'],
    rows: [
      ['bench (surgery)', '1', '0'],
      ['third', '–', '0'],
    ],
  })
  const none = dropout.map((each) => ({ ...each, swaps: new Map([...each.swaps].map(([x]) => [x, null])) }))
  expect(pageOf([], { dropout: none })).not.toContain('Pairs of models that swap places')
  expect(tableOf(page, 'bench (surgery) without each judge').rows).toEqual([
    ['m/a', 'dot hollow, dot hollow, dot', '4.000', '3.500', '4.500'],
    ['m/b', 'dot hollow, dot hollow, dot', '3.000', '3.750', '2.250'],
  ])
})
