import { expect, test } from 'vitest'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import type { RankColumn } from '../../../targets/compare/ranks/rank-column.ts'
import { underFloor } from '../../../targets/compare/under-floor.ts'
import { headToHead } from '../../../targets/compare/win-difference.ts'

const COUNT = 40

/** Right answers of A and of B by instance. */
const column = (
  benchmark: string,
  a: (at: number) => number,
  b: (at: number) => number,
  lowerIsBetter = false,
): RankColumn => ({
  benchmark,
  isBinary: true,
  range: { low: 0, high: 1 },
  lowerIsBetter,
  strata: [
    {
      instances: COUNT,
      values: [a, b].map((of) => Float64Array.from({ length: COUNT }, (_, at) => of(at))),
    },
  ],
})

const [never, always] = [() => 0, () => 1]
const even = (at: number): number => at % 2
const odd = (at: number): number => 1 - (at % 2)

test('Of two models the difference of win rates is what one wins less what it loses, and so are its ends.', () => {
  // B surely wins one benchmark, and ties the other.
  const found = headToHead(['A', 'B'], [column('sure', never, always), column('open', even, odd)])
  expect(found).toMatchObject({
    winRateA: 0.25,
    winRateB: 0.75,
    difference: 0.5,
    onThese: { low: 0, high: 1 },
    likeThese: null,
    benchmarks: 2,
  })
  // Of errors the fewer are better.
  const turned = headToHead(['A', 'B'], [column('errors', never, always, true), column('open', even, odd)])
  expect(turned).toMatchObject({ winRateA: 0.75, difference: -0.5, onThese: { low: -1, high: 0 } })
  const nothing = headToHead(['A', 'B'], [column('open', even, odd)])
  expect(nothing).toMatchObject({ difference: 0, onThese: { low: -1, high: 1 } })
})

test('Runs of a benchmark are held together against the highest floor of any.', () => {
  const run = (coverageFloor: number, evaluated: number, measured: number) =>
    ({ coverageFloor, coverage: new Map([['em', { evaluated, measured }]]) }) as unknown as ComparedRun
  expect(underFloor([run(0.5, 10, 8), run(0.9, 10, 8)], 'em')).toEqual({
    evaluated: 20,
    measured: 16,
    floor: 0.9,
  })
  expect(underFloor([run(0.5, 10, 8), run(0.9, 10, 10)], 'em')).toBeNull()
  expect(underFloor([run(0.5, 10, 8)], 'em')).toBeNull()
  expect(underFloor([run(0.9, 0, 0)], 'em')).toBeNull()
})
