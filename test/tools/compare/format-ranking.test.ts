import { expect, it } from 'vitest'
import { formatRanking } from '../../../tools/compare/format-ranking.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import type { UnrankedCell } from '../../../targets/compare/ranks/rank-columns.ts'
import { rankModels } from '../../../targets/compare/ranks/rank-models.ts'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { madeUpComparedRun } from '../../targets/compare/made-up-compared-run.ts'

const runOf = (model: string) =>
  madeUpComparedRun(
    { name: `ward:model=${model}`, scenario: 'ward', deployment: model, results: model },
    Array.from({ length: 20 }, (_, at) => ({ id: `id${at}`, digest: `${at}` })),
    (at) => at % 2,
  )
const shown = (models: readonly string[], others: readonly ComparedRun[] = []): string => {
  const { models: names, columns, unranked, leftOut } = rankColumns([...models.map(runOf), ...others])
  const ranking = rankModels(names, columns)
  const idle = columns.map(({ benchmark }) => benchmark).filter((name) => !ranking.columns.includes(name))
  return formatRanking([{ suite: 's', ranking, unranked, leftOut, idle }], 'text')
}

it('A suite of one model has nothing to rank, and says so in place of an empty table.', () => {
  expect(shown(['m/one'])).toBe(
    's\n\nNothing to rank: no benchmark that says what is better has scores of two models.',
  )
  expect(shown(['m/one', 'm/two'])).toContain('m/two')
})

it('Models of which none has every benchmark are not said to share none.', () => {
  const on = (model: string, benchmark: string): ComparedRun => ({ ...runOf(model), benchmark })
  const pairs = ['x a', 'x b', 'y b', 'y c', 'z c', 'z a', 'w a'].map((each) => each.split(' '))
  const text = shown(
    [],
    pairs.map(([benchmark = '', model = '']) => on(model, benchmark)),
  )
  expect(text).toContain('Nothing to rank: no model has a score in every benchmark.')
  expect(text).toContain('nobody says what is better: w.')
})

it('Benchmarks that count in win rates and in no average are named.', () => {
  const open = (model: string): ComparedRun => {
    const metric = {
      name: 'em',
      split: 'test',
      displayName: 'em',
      description: '',
      isBinary: false,
      lowerIsBetter: true,
    }
    return { ...runOf(model), benchmark: 'seconds', metrics: [metric] }
  }
  const models = ['m/one', 'm/two']
  expect(shown(models, models.map(open))).toContain(
    '2 benchmarks, each model on the instances that it has in full',
  )
  expect(shown(models, models.map(open))).toContain(
    'Averages leave out seconds, of which no scale has ends that all values lie within.',
  )
  expect(shown(models)).not.toContain('leave out')
})

it('A model that is not ranked is told with what it lacks: runs, coverage or both', () => {
  const { columns, models } = rankColumns(['m/one', 'm/two'].map(runOf))
  const lacking = { benchmark: 'ward', deployment: 'm/bad', missingRuns: 0, emptyRuns: 0, coverage: null }
  const coverage = { evaluated: 20, measured: 12, floor: 0.99 }
  const text = (...unranked: readonly Partial<UnrankedCell>[]): string =>
    formatRanking(
      [
        {
          suite: 's',
          ranking: rankModels(models, columns),
          unranked: unranked.map((each) => ({ ...lacking, ...each })),
          leftOut: [{ benchmark: 'ward', scenarios: ['night'] }],
          idle: [],
        },
      ],
      'text',
    )
  expect(text({ missingRuns: 2 })).toMatch(/^Not ranked: m\/bad in ward: 2 runs of the benchmark missing\.$/m)
  expect(text({ emptyRuns: 1, coverage })).toMatch(
    /^Not ranked: m\/bad in ward: 1 run without an answer that could be read, 60\.0 % .*floor of 99\.0 %/m,
  )
  expect(text()).toContain('Left out of ward, as too few models have it: night.')
})
