import { describe, expect, it } from 'vitest'
import type { ErrataChoice } from '../../../benchmarks/context/context.ts'
import { correctionsOf } from '../../../benchmarks/declaration/about.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { problemAtOnce } from '../../rig/problem-of.ts'

const BENCHMARK = {
  name: 'sums',
  errata: [
    { id: 'wrong-row', about: 'Row 3 is wrong.', drop: ['id3'] },
    {
      id: 'half-points',
      about: 'Half points are lost.',
      correction: { in: 'scores' as const, about: 'Kept.' },
    },
    { id: 'wide-indent', about: 'Too many blanks.' },
  ],
}

const problemOf = (choice: ErrataChoice, given?: string) =>
  problemAtOnce(() => correctionsOf(BENCHMARK, choice, given))

const ALL = { corrected: ['wrong-row', 'half-points'], uncorrected: ['wide-indent'] }

describe('the errata of a benchmark', () => {
  it('are reproduced by default', () => expect(correctionsOf(BENCHMARK)).toBeUndefined())

  it('are corrected where that is asked for, and those that can not be are named', () => {
    expect(correctionsOf(BENCHMARK, 'corrected')).toEqual(ALL)
  })

  it('are corrected by their ids, for the benchmark that is named', () => {
    expect(correctionsOf(BENCHMARK, { sums: ['half-points'] })).toEqual({
      corrected: ['half-points'],
      uncorrected: [],
    })
    expect(correctionsOf(BENCHMARK, { others: ['half-points'] })).toBeUndefined()
  })

  it('go by the run entry first', () => {
    expect(correctionsOf(BENCHMARK, 'reproduced', 'corrected')).toEqual(ALL)
    expect(correctionsOf(BENCHMARK, 'corrected', 'reproduced')).toBeUndefined()
    expect(correctionsOf(BENCHMARK, 'corrected', 'half-points+wrong-row')?.corrected).toEqual([
      'wrong-row',
      'half-points',
    ])
  })

  it('are refused by a wrong id, and by one that has no correction', () => {
    expect(problemOf({ sums: ['half-point'] })).toMatchObject({
      code: 'benchmarks/unknown-erratum',
      where: { field: 'errata' },
      remedy: expect.stringContaining('"half-points"') as string,
    })
    expect(problemOf('reproduced', 'wide-indent')?.code).toBe('benchmarks/no-correction')
  })
})

describe('a benchmark whose errata are corrected', () => {
  const files = {
    'benchmarks/sums/benchmark.yaml': `name: sums
description: Sums.
errata:
  - { id: wrong-row, about: Row two is wrong., drop: [id1] }
protocols:
  - version: own
    data: { rows: { path: rows.csv, format: csv } }
    instances: [{ from: rows, split: test, input: '{q}', references: [{ text: '{a}', correct: true }] }]
    adapter: { method: generation }
    metrics: [basic]
    main_metric: { name: exact_match, split: test }
`,
    'benchmarks/sums/rows.csv': 'q,a\none,1\ntwo,2\n',
  }

  it('tells so, and its metrics are told', async () => {
    const workspace = createWorkspace(files)
    const found = (errata: ErrataChoice) =>
      findBenchmark('sums', new Map(), benchmarkContext({ workspace, errata }))
    const [plain, corrected] = [await found('reproduced'), await found('corrected')]
    expect(corrected.errata).toEqual({ corrected: ['wrong-row'], uncorrected: [] })
    expect([plain.errata, plain.metrics[0]?.corrected]).toEqual([undefined, undefined])
    expect(new Set(corrected.metrics.map((metric) => metric.corrected))).toEqual(new Set([['wrong-row']]))
  })

  it('compares with no rows where a gold query gives none, and with nothing where it fails', async () => {
    const gold = async (errata: ErrataChoice) =>
      (await findBenchmark('ehr_sql', new Map(), benchmarkContext({ errata }))).queries?.gold
    expect(await gold('reproduced')).toBeUndefined()
    expect(await gold({ ehr_sql: ['empty-results'] })).toEqual({ noRows: 'stay', errors: 'fail' })
  })
})
