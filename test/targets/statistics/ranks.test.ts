import { expect, test } from 'vitest'
import { likeThese } from '../../../targets/statistics/benchmarks/like-these.ts'
import { holm, standing } from '../../../targets/statistics/multiple/holm.ts'
import { chanceFirst } from './compared/chance-first.ts'
import { winRate, winRateOnThese, winShares } from '../../../targets/statistics/ranks/win-share.ts'

const ESTIMATES = [0.3, 0.25, 0.1, 0.35]
const COVARIANCE = [
  [0.04, 0.02, -0.01, 0.004],
  [0.02, 0.0325, 0.01, 0.0095],
  [-0.01, 0.01, 0.0525, -0.016],
  [0.004, 0.0095, -0.016, 0.0229],
]

test('the chances to be first are the normal distribution’s', () => {
  // Of scipy's multivariate_normal, that the three others lie below.
  const wanted = [0.3127572724800943, 0.0945703110592587, 0.13902652742908916, 0.45364586567641785]
  for (const [model, share] of chanceFirst(ESTIMATES, COVARIANCE).entries())
    expect(Math.abs(share - (wanted[model] ?? NaN)), `${model}`).toBeLessThan(0.006)
})

test('the order of the models changes no digit', () => {
  const order = [2, 0, 3, 1]
  const found = chanceFirst(
    order.map((model) => ESTIMATES[model] ?? NaN),
    order.map((row) => order.map((column) => COVARIANCE[row]?.[column] ?? NaN)),
    500,
  )
  const plain = chanceFirst(ESTIMATES, COVARIANCE, 500)
  expect(found).toEqual(order.map((model) => plain[model]))
})

test('a model that two others make up is drawn with them, and copies share', () => {
  // The third is the mean of both: never first, but where all are equal.
  const variances = [
    [1, 0, 0.5],
    [0, 1, 0.5],
    [0.5, 0.5, 0.5],
  ]
  const [one = NaN, other = NaN, mean] = chanceFirst([0, 0, 0], variances, 20_000)
  expect(mean).toBe(0)
  expect(Math.abs(one - 0.5)).toBeLessThan(0.015)
  expect(one + other).toBeCloseTo(1, 12)
  const copies = [
    [1, 1, 0],
    [1, 1, 0],
    [0, 0, 1],
  ]
  const [left = NaN, right, third = NaN] = chanceFirst([0, 0, 0], copies, 20_000)
  expect(left).toBe(right)
  expect(Math.abs(third - 0.5)).toBeLessThan(0.015)
  expect(
    chanceFirst(
      [-3, -2],
      [
        [0, 0],
        [0, 0],
      ],
      10,
    ),
  ).toEqual([0, 1])
  expect(chanceFirst([], [], 10)).toEqual([])
})

test('a model that was run nowhere has no win rate', () => {
  expect(winRate([undefined, 0.25, 0.75])).toBe(0.5)
  expect(winRate([undefined])).toBeUndefined()
})

test('a win rate is HELM’s to the last digit, the exact mean rounded once', () => {
  // Python's statistics.mean of them; a sum that is rounded before it is divided gives another last digit.
  expect(winRate([0, 2 / 3, 1])).toBe(0.5555555555555556)
})

test('models that no draw can make the first change nobody’s chance, near ones do', () => {
  const apart = (estimate: number): readonly number[] =>
    chanceFirst(
      [...ESTIMATES, estimate],
      [...COVARIANCE.map((row) => [...row, 0.001]), [0.001, 0.001, 0.001, 0.001, 0.03]],
      20_000,
    )
  const four = chanceFirst(ESTIMATES, COVARIANCE, 20_000)
  expect(apart(-30)).toEqual([...four, 0])
  expect(apart(-1.5)).toEqual([...four, 0])
  const seldom = apart(-0.3)[4]
  expect(seldom).toBeGreaterThan(0)
  expect(seldom).toBeLessThan(0.01)
})

test('claims stand by Holm’s method where his adjusted p says so', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const ps = Array.from(
      { length: 1 + (seed % 23) },
      (_, at) => (((at * 7919 + seed * 104_729) % 1009) / 1009) ** (1 + (seed % 6)),
    )
    if (seed % 3 === 0) ps.push(...ps.slice(0, 2))
    const adjusted = holm(ps)
    const wanted = ps.flatMap((_, at) => ((adjusted[at] ?? 1) <= 0.05 ? [at] : []))
    expect(standing(ps, 0.05).toSorted((a, b) => a - b)).toEqual(wanted)
  }
  expect(standing([0.05], 0.05)).toEqual([0])
  expect(standing([], 0.05)).toEqual([])
})

test('a tie is half a win, over the rivals that were run there', () => {
  const shares = winShares([
    [1, 0.5],
    [1, undefined],
    [0, 0.7],
  ])
  expect(shares).toEqual([
    [0.75, 0],
    [0.75, undefined],
    [0, 1],
  ])
  expect(shares.map(winRate)).toEqual([0.375, 0.75, 0.5])
  expect(winShares([[1]])).toEqual([[undefined]])
})

test('a win rate on these benchmarks lies between what was surely won and what was not surely lost', () => {
  const meeting = (difference: number, p: number) => ({ difference, p })
  const open = meeting(0.1, 0.5)
  expect(
    winRateOnThese([meeting(0.2, 0.001), meeting(0.2, 0.001), meeting(-0.2, 0.001), open], 0.05),
  ).toEqual({
    low: 0.5,
    high: 0.75,
  })
  expect(winRateOnThese([open, meeting(-0.1, 1)], 0.05)).toEqual({ low: 0, high: 1 })
  // Of eight claims the surest has to be below 0.05 / 8, one-sided.
  const four = (p: number) => [meeting(0.2, p), open, open, open]
  expect(winRateOnThese(four(0.0124), 0.05).low).toBe(0.25)
  expect(winRateOnThese(four(0.0126), 0.05).low).toBe(0)
})

test('benchmarks that all say the same are no proof of the next', () => {
  const same = likeThese(Array(8).fill(0.5), 0.95)
  // 2 (1 / (1 + 1/2))⁸.
  expect(same.known?.p).toBeCloseTo(2 * (2 / 3) ** 8, 12)
  expect(same.known?.interval.low).toBeLessThan(0.5)
  expect(likeThese(Array(7).fill(0.5), 0.95)).toEqual({
    estimate: 0.5,
    benchmarks: 7,
    reason: 'fewer than 8 benchmarks',
  })
})
