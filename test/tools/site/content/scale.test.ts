import { expect, test } from 'vitest'
import { makeBoard } from '../../../../targets/board/board.ts'
import type { Interval } from '../../../../targets/statistics/intervals/wilson.ts'
import { positionOn, scaleOf } from '../../../../tools/site/content/scale.ts'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'

const scaleFor = (
  means: readonly number[],
  range?: { readonly low: number; readonly high: number },
  interval: Interval | null = null,
) => {
  const sketches = means.map((mean, at) => ({ model: `m/${at}`, isShare: false, values: [mean], range }))
  const { rows, benchmarks } = makeBoard(
    's',
    sketches.map(({ range: ends, ...sketch }) => boardRunOf({ ...sketch, ...(ends && { range: ends }) })),
  )
  const [benchmark] = benchmarks
  if (benchmark === undefined) throw new Error('no column')
  const cells = rows.flatMap((row) => row.cells.map((cell) => ({ ...cell, interval })))
  return scaleOf(benchmark.mainMetric, cells)
}

test('A column spans its declared scale, else what it reaches, and has a length even where all values are one.', () => {
  expect(scaleFor([2, 4], { low: 1, high: 5 })).toEqual({ low: 1, high: 5 })
  expect(scaleFor([7, 2, 4])).toEqual({ low: 2, high: 7 })
  expect(scaleFor([7, 2], undefined, { low: 1.5, high: 9 })).toEqual({ low: 1.5, high: 9 })
  expect(scaleFor([7, 7])).toEqual({ low: 6.5, high: 7.5 })
})

test('A value lies on its scale to three decimals, or at the end that it is beyond.', () => {
  const scale = { low: 1, high: 4 }
  expect([1, 2, 4, 0, 9].map((value) => positionOn(scale, value))).toEqual([0, 0.333, 1, 0, 1])
})
