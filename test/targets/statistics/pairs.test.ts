import { describe, expect, test } from 'vitest'
import { detectableDifference } from '../../../targets/statistics/power/detectable.ts'
import { lossEvidence } from '../../../targets/statistics/gate/loss-evidence.ts'
import type { Interval } from '../../../targets/statistics/intervals/wilson.ts'
import { independentChange } from '../../../targets/statistics/paired/independent-change.ts'
import { pairDifference, pairOrder } from '../../../targets/statistics/paired/pair-difference.ts'
import { tango } from '../../../targets/statistics/paired/tango.ts'
import { instancesFor, planAt } from '../../../targets/statistics/power/plan-benchmark.ts'
import { isWhole, minus } from '../../../targets/statistics/paired/paired-sides.ts'

const UNIT = { range: { low: 0, high: 1 }, isBinary: false }
const BINARY = { ...UNIT, isBinary: true }
const RATED = { range: { low: 1, high: 5 }, isBinary: false }
const OPEN = { isBinary: false }
const side = (a: readonly number[], b: readonly number[], more: object = {}) => ({
  benchmark: 'x',
  a,
  b,
  ...more,
})

const expectEnds = (found: Interval | null | undefined, low: number, high: number): void => {
  expect(found?.low).toBeCloseTo(low, 9)
  expect(found?.high).toBeCloseTo(high, 9)
}

const A = [0.2, 0.5, 0.9, 0.4, 0.7]
const B = [0.6, 0.4, 1, 0.8, 0.9]
/** Three that only A has right, nine that only B has, eight alike. */
const ONLY_A = [...Array<number>(3).fill(1), ...Array<number>(9).fill(0), 1, 1, 1, 1, 0, 0, 0, 0]
const ONLY_B = ONLY_A.map((value, at) => (at < 12 ? 1 - value : value))

// The figures are scipy's: ttest_rel, binom.
describe('the difference of two sides', () => {
  test.each([
    ['of scores', UNIT, [0.2, 0.5, 1.5]],
    ['of answers', BINARY, [0, 1, 2]],
    ['of scores, some lost', RATED, [1, 0.5, NaN]],
  ])('is not tested where values lie off the scale: %s', (_, scale, off) => {
    const on = scale === RATED ? [1, 2, 3] : [0, 1, 1]
    for (const sides of [side(off, on), side(on, off)]) {
      const found = pairDifference([sides], scale)
      expect(found).toMatchObject({
        p: null,
        interval: null,
        bounds: null,
        reason: 'values lie off the scale',
      })
      expect(pairOrder([sides], scale).p).toBeNull()
    }
  })

  test('of scores is the paired t test, in units of the scale', () => {
    const found = pairDifference([side(A, B)], UNIT)
    expect(found).toMatchObject({
      n: 5,
      common: 5,
      sources: 5,
      test: 't',
      strict: null,
      bounds: null,
      reason: '',
    })
    expect([found.meanA, found.meanB].map((mean) => mean?.toFixed(12))).toEqual([
      '0.540000000000',
      '0.740000000000',
    ])
    expect(found.difference).toBeCloseTo(0.2, 12)
    expect(found.p).toBeCloseTo(0.10270042749551181, 10)
    expectEnds(found.interval, -0.06339670992552482, 0.46339670992552484)
    expect(found.plan).toMatchObject({ test: 't', range: 1 })
    const rated = (values: readonly number[]): readonly number[] => values.map((value) => 1 + 4 * value)
    const wide = pairDifference([side(rated(A), rated(B))], RATED)
    expect(wide.difference).toBeCloseTo(0.8, 12)
    expect(wide.p).toBeCloseTo(0.10270042749551181, 10)
    expectEnds(wide.interval, -4 * 0.06339670992552482, 4 * 0.46339670992552484)
    expect(wide.plan).toMatchObject({ range: 4, df: expect.closeTo(4, 9) as number })
    if (wide.plan?.test === 't') expect(wide.plan.standardError).toBeCloseTo(4 * 0.09486832980505137, 12)
  })

  test('of answers is McNemar’s mid-p, and Student’s over sources where they have some', () => {
    const found = pairDifference([side(ONLY_A, ONLY_B)], BINARY)
    expect(found).toMatchObject({ test: 'mid-p', isBorderline: false, difference: 0.3 })
    expect(found.p).toBeCloseTo(0.09228515625, 12)
    expect(found.plan).toEqual({ test: 'mid-p', n: 20, discordant: 0.6 })
    expect(found.interval?.low).toBeLessThan(0)
    const sources = ONLY_A.map((_, at) => `p${at}`)
    expect(pairDifference([side(ONLY_A, ONLY_B, { sources })], BINARY).test).toBe('t')
    expect(pairDifference([side(ONLY_A, ONLY_B), side(ONLY_A, ONLY_B)], BINARY).test).toBe('t')
    expect(pairDifference([side(ONLY_A, ONLY_B)], UNIT).test).toBe('t')
    expect(pairDifference([side([0.5, 1, 0], [1, 1, 0])], BINARY).test).toBe('t')
  })

  test('is borderline where mid-p and Tango’s interval fall on two sides of 5 %', () => {
    const found: boolean[] = []
    for (let onlyA = 0; onlyA < 6; onlyA += 1)
      for (let onlyB = onlyA; onlyB < 16; onlyB += 1) {
        const a = Array.from({ length: 24 }, (_, at) => Number(at < onlyA))
        const b = Array.from({ length: 24 }, (_, at) => Number(at >= onlyA && at < onlyA + onlyB))
        const { p, interval, isBorderline } = pairDifference([side(a, b)], BINARY)
        expect(isBorderline).toBe((p ?? 1) < 0.05 !== (interval?.low ?? 0) > 0)
        expect(pairDifference([side(b, a)], BINARY).isBorderline).toBe(isBorderline)
        found.push(isBorderline)
      }
    expect(new Set(found)).toEqual(new Set([true, false]))
  })

  test('on a scale without ends is Student’s, where it has a spread', () => {
    const found = pairDifference([side([3, 10, 7, 12], [5, 9, 11, 20])], OPEN)
    expect(found).toMatchObject({ difference: 3.25, test: 't', meanA: 8, meanB: 11.25 })
    expect(found.p).toBeCloseTo(0.18356804284889125, 10)
    expectEnds(found.interval, -2.756735676007777, 9.256735676007777)
    expect(found.plan).not.toHaveProperty('range')
  })

  test.each([
    ['no instance', [], [], UNIT, 'no common instance'],
    ['no common value on an open scale', [1, NaN], [NaN, 2], OPEN, 'no common instance'],
    ['one instance', [0.2], [0.4], UNIT, 'one source'],
    ['one on an open scale', [3], [4], OPEN, 'one source'],
    ['one step on an open scale', [3, 5], [4, 6], OPEN, 'nothing spreads on a scale without ends'],
    ['numbers too far apart', [0, 0], [1e200, -1e200], OPEN, 'values too far apart to be squared'],
    ['missing on an open scale', [1, 2, NaN], [2, 2, 3], OPEN, 'values are missing on a scale without ends'],
  ])('has no p for %s', (_, a, b, scale, reason) => {
    expect(pairDifference([side(a, b)], scale)).toMatchObject({
      p: null,
      interval: null,
      test: 'none',
      plan: null,
      reason,
    })
  })

  test('shows what common instances say where the scale has no ends', () => {
    const whole = pairDifference([side([3, 10, 7, 12], [5, 9, 11, 20])], OPEN)
    const found = pairDifference([side([3, NaN, 10, 7, 12, 1], [5, 1, 9, 11, 20, NaN])], OPEN)
    expect(found).toMatchObject({ n: 6, common: 4, difference: 3.25, meanA: 8, meanB: 11.25, bounds: null })
    expect(found.strict).toEqual({ interval: whole.interval, p: whole.p })
  })

  test('without a spread is Gaffke’s, and plans nothing', () => {
    const found = pairDifference([side([0, 0, 0], [0.5, 0.5, 0.5])], UNIT)
    // 2 (1/1.5)³; of kept = 0.025^(1/3) half, and to both sides what is left of 1.
    const kept = 0.025 ** (1 / 3)
    expect(found).toMatchObject({ test: 'Gaffke', plan: null, reason: 'no spread' })
    expect(found.p).toBeCloseTo(16 / 27, 12)
    expectEnds(found.interval, kept / 2 - (1 - kept), kept / 2 + (1 - kept))
  })

  test('goes around what missing values could be', () => {
    const found = pairDifference([side([1, 0, NaN, 1], [0, NaN, 1, 1])], BINARY)
    // As bad as can be for B: −1, 0, 0, 0; as good: −1, 1, 1, 0.
    expect(found).toMatchObject({ n: 4, common: 2, test: 'bounds', bounds: { low: -0.25, high: 0.25 }, p: 1 })
    expect(found.difference).toBe(-0.5)
    expect(found.strict?.p).toBeGreaterThan(0.05)
    const nothing = pairDifference([side([NaN, NaN], [NaN, NaN])], RATED)
    expect(nothing).toMatchObject({ common: 0, difference: null, meanA: null, bounds: { low: -4, high: 4 } })
    expect(nothing.strict).toBeNull()
    const single = pairDifference([side([1, NaN], [3, 2], { sources: ['p', 'p'] })], RATED)
    expect(single).toMatchObject({ test: 'none', reason: 'one source', bounds: { low: -0.5, high: 1.5 } })
  })

  test('keeps sources with their instances where some are missing', () => {
    const sources = ['p', 'p', 'q', 'r', 's', 's']
    const gone = side([0.1, NaN, 0.4, 0.2, 0.9, 0.6], [0.3, 0.5, 0.2, 0.7, 1, 0.9], { sources })
    const left = side([0.1, 0.4, 0.2, 0.9, 0.6], [0.3, 0.2, 0.7, 1, 0.9], {
      sources: ['p', 'q', 'r', 's', 's'],
    })
    const [found, plain] = [pairDifference([gone], UNIT), pairDifference([left], UNIT)]
    expect(found.sources).toBe(4)
    expect(found.strict).toEqual({ interval: plain.interval, p: plain.p })
  })
})

describe('the order of two sides', () => {
  test.each([
    ['answers', [side(ONLY_A, ONLY_B)], BINARY],
    ['answers the other way', [side(ONLY_B, ONLY_A)], BINARY],
    ['scores', [side(A, B)], UNIT],
    ['scores the other way', [side(B, A)], UNIT],
    ['equal answers', [side([1, 0], [0, 1])], BINARY],
    ['missing answers', [side([NaN, 0, 0, 1], [1, 1, 1, 1])], BINARY],
    ['an open scale', [side([3, 10, 7, 12], [5, 9, 11, 20])], OPEN],
    ['nothing', [side([], [])], BINARY],
  ])('of %s has the p of the difference, and its sign', (_, runs, scale) => {
    const whole = pairDifference(runs, scale)
    const { p, direction } = pairOrder(runs, scale)
    expect(p).toBe(whole.p)
    if (whole.bounds === null) expect(direction).toBe(Math.sign(whole.difference ?? 0))
  })

  test('points where the bounds point, not where common instances do', () => {
    const direction = (a: readonly number[], b: readonly number[]): number =>
      pairOrder([side(a, b)], BINARY).direction
    expect(direction([0, 0, 0, NaN], [1, 1, 1, 0])).toBe(1)
    expect(direction([1, 1, 1, NaN], [0, 0, 0, 1])).toBe(-1)
    expect(direction([0, NaN, NaN, 1], [1, 0, 1, 1])).toBe(0)
    expect(direction([0, 1, NaN], [1, 1, 0])).toBe(0)
    expect(direction([1, 1, NaN], [0, 1, 1])).toBe(0)
  })
})

test('sides are taken from each other place by place', () => {
  expect([...minus([3, 5, 1], [1, 1, NaN], 2)]).toEqual([1, 2, NaN])
  expect([...minus([3], [1, 1])]).toEqual([2, NaN])
  expect([isWhole([]), isWhole([0, 1]), isWhole([0, NaN]), isWhole([NaN])]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('numbers measured apart differ by as much as the sides of their intervals that face each other say', () => {
  const right = (value: number, low: number, high: number) => ({ value, interval: { low, high } })
  // Wilson's of 0 and 3 of 5. Fisher's exact p is 0.17; whole half-widths would say 0.003.
  const [none, three] = [right(0, 0, 0.43448), right(0.6, 0.23072, 0.88238)]
  const rise = independentChange(none, three, 0.95)
  expect(rise.interval?.low).toBeCloseTo(0.6 - Math.hypot(0.36928, 0.43448), 12)
  expect(rise.interval?.high).toBeCloseTo(0.88238, 12)
  expect(rise.p).toBeCloseTo(0.03917, 5)
  const fall = independentChange(three, none, 0.95)
  expect(fall.p).toBe(rise.p)
  expect(fall.interval?.high).toBe(-(rise.interval?.low ?? NaN))
  const untold = { p: null, interval: null }
  expect(independentChange({ value: 0, interval: null }, three, 0.95)).toEqual(untold)
  expect(independentChange(none, { value: 0.6, interval: null }, 0.95)).toEqual(untold)
  expect(independentChange(right(0.3, 0.3, 0.3), right(0.5, 0.5, 0.5), 0.95)).toEqual(untold)
  expect(independentChange(none, none, 0.95)).toMatchObject({ p: 1 })
  const [few, most] = [right(0.1, 0, 0.8), right(0.9, 0.2, 1.2)]
  expect(independentChange(few, most, 0.95, { low: 0, high: 1 }).interval?.high).toBe(1)
})

describe('the plan of a benchmark', () => {
  const aim = { alpha: 0.05, power: 0.8 }
  const scores = { perSource: 1, correlation: 0, spread: { deviation: 0.5, range: 1 } }
  const patients = { ...scores, perSource: 3, correlation: 0.4 }

  // Of scipy's non-central t.
  test('notices what the t test does, over sources of equal size', () => {
    expect(planAt(60, scores, aim)).toMatchObject({ instances: 60, sources: 60 })
    expect(planAt(60, scores, aim).detectable).toBeCloseTo(0.18385215804358357, 7)
    const found = planAt(32, patients, aim)
    expect(found).toMatchObject({ instances: 30, sources: 10 })
    expect(found.detectable).toBeCloseTo(0.38574967244467595, 7)
    const answers = { perSource: 2, correlation: 0.3, spread: { discordant: 0.4 } }
    expect(planAt(40, answers, aim).detectable).toBeCloseTo(0.29724870316261076, 7)
    expect(planAt(2, patients, aim)).toEqual({ instances: 3, sources: 1, detectable: null })
    expect(planAt(2, scores, aim).detectable).toBeNull()
    // Two sources have one degree of freedom: t of 12.7, and of power about as much again.
    const alike = { perSource: 2, correlation: 0, spread: { deviation: 0.01, range: 1 } }
    expect(planAt(4, alike, aim).detectable).toBeGreaterThan(12.7 * 0.005)
    expect(planAt(4, alike, aim).detectable).toBeLessThan(1)
  })

  test('lets no less than the difference be discordant where sources are shared', () => {
    const answers = { perSource: 2, correlation: 0.3, spread: { discordant: 0.01 } }
    expect(planAt(40, answers, aim).detectable).toBeCloseTo(0.22089197882963466, 7)
    expect(planAt(40, { ...answers, spread: { discordant: 0 } }, aim).detectable).toBeCloseTo(
      0.22089197882963466,
      7,
    )
    expect(planAt(6, answers, aim).detectable).toBeNull()
    expect(instancesFor(0.3, answers, aim)).toMatchObject({ instances: 28 })
  })

  test('needs hardly more of single answers that are drawn two at a time and differ as they like', () => {
    const spread = { discordant: 0.2 }
    for (const n of [20, 40, 100]) {
      const single = planAt(n, { perSource: 1, correlation: 0, spread }, aim).detectable ?? NaN
      const paired = planAt(n, { perSource: 2, correlation: 0, spread }, aim).detectable ?? NaN
      expect(Math.abs(paired / single - 1)).toBeLessThan(0.07)
    }
  })

  // Of runs made up with Dirichlet's shares 0.73 to 0.83 notice it, and all of them more.
  test('tells what few patients notice of 0/1 answers, as far as so few that agree are a difference', () => {
    const spread = { discordant: 0.2 }
    const at = (sources: number, perSource: number, correlation: number): number | null =>
      planAt(sources * perSource, { perSource, correlation, spread }, aim).detectable
    expect(at(6, 2, 0.3)).toBeCloseTo(0.572, 3)
    expect(at(8, 3, 0.8)).toBeCloseTo(0.537, 3)
    expect(at(5, 10, 0.8)).toBeNull()
  })

  test('notices what McNemar’s test does for single answers', () => {
    const answers = { perSource: 1, correlation: 0, spread: { discordant: 0.2 } }
    // Five of five to one side: p = 1/32, where all differ to one side for sure.
    expect(
      planAt(5, { ...answers, spread: { discordant: 1 } }, { alpha: 0.05, power: 0.9 }).detectable,
    ).toBeCloseTo(2 * 0.9 ** (1 / 5) - 1, 3)
    expect(planAt(4, answers, { alpha: 0.05, power: 0.9 }).detectable).toBeNull()
  })

  test('takes the fewest instances that notice a difference', () => {
    expect(instancesFor(0.15, scores, aim)).toMatchObject({
      instances: 90,
      detectable: expect.closeTo(0.14927361110040277, 7) as number,
    })
    expect(instancesFor(0.3, scores, aim)?.instances).toBe(24)
    expect(instancesFor(0.2, patients, aim)).toMatchObject({ instances: 96, sources: 32 })
    const exactly = planAt(90, scores, aim).detectable ?? 0
    expect(instancesFor(exactly, scores, aim)?.instances).toBe(90)
    expect(instancesFor(0.15, scores, aim, 60)).toBeUndefined()
    expect(instancesFor(0.15, scores, aim, 64)?.instances).toBe(90)
    expect(instancesFor(0.2, patients, aim, 47)).toBeUndefined()
  })
})

test('more answers detect less, of as many in which two models differ', () => {
  const [few = NaN, many = NaN] = [100, 400].map((n) =>
    detectableDifference({ test: 'mid-p', n, discordant: 0.25 }),
  )
  expect(many).toBeLessThan(0.6 * (few ?? NaN))
})

test('what a plan detects on a scale without ends grows with the error', () => {
  const [one, hundred] = [1, 100].map((standardError) =>
    detectableDifference({ test: 't', standardError, df: 20 }),
  )
  // Noncentral t at 20 degrees of freedom: about t + the normal quantile of the power.
  expect(one).toBeGreaterThan(2.086 + 0.84)
  expect(one).toBeLessThan(3.1)
  expect(hundred).toBeCloseTo(100 * (one ?? NaN), 6)
})

describe('evidence of a loss', () => {
  test('has no loss without a common instance, but bounds', () => {
    const found = lossEvidence([side([NaN, 1], [1, NaN])], false, 0.025)
    expect(found).toMatchObject({ n: 2, common: 0, bounds: { low: -0.5, high: 0.5 } })
    expect(found).not.toHaveProperty('loss')
    expect(lossEvidence([side([1, 0], [0, 0])], false, 0.025).loss).toBe(0.5)
  })

  test('of answers that were averaged is Student’s, as of scores', () => {
    const halves = side([1, 0.5, 1, 1], [0, 0.5, 1, 0])
    expect(lossEvidence([halves], true, 0.025)).toEqual(lossEvidence([halves], false, 0.025))
    const [answers, two] = [side(ONLY_B, ONLY_A), [side(ONLY_B, ONLY_A), side(ONLY_B, ONLY_A)]]
    expect(lossEvidence([answers], true, 0.025).p).toBeCloseTo(0.09228515625 / 2, 12)
    expect(lossEvidence(two, true, 0.025)).toEqual(lossEvidence(two, false, 0.025))
  })

  test('takes what was not read for B in p, and against it in the limit', () => {
    const answered = side([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1, 1, NaN])
    const found = lossEvidence([answered], true, 0.025)
    // Six fell and none rose: half the chance of six tosses alike. The limit is that of seven.
    expect(found.p).toBeCloseTo(1 / 128, 12)
    expect(found.upper).toBeCloseTo(-tango({ onlyA: 7, onlyB: 0, n: 10 }, 0.95).low, 12)
    const [scored, least, most] = [NaN, 0.9, 0].map((last) =>
      lossEvidence([side([0.9, 0.9, 0.9, 0.9], [0.8, 0.6, 0.7, last])], false, 0.025),
    )
    expect(scored?.upper).toBeGreaterThan(scored?.bounds.high ?? NaN)
    expect(scored?.upper).toBeGreaterThanOrEqual(most?.upper ?? NaN)
    expect(scored?.p).toBeGreaterThanOrEqual(least?.p ?? NaN)
  })

  test('without a spread plans with none', () => {
    const found = lossEvidence([side([1, 1, 1], [0.5, 0.5, 0.5])], false, 0.025)
    expect(found.plan?.standardError).toBe(0)
    // (1 / (1 + 1/2))³, and what is left of 1 beyond 0.025^(1/3).
    expect(found.p).toBeCloseTo(8 / 27, 12)
    expect(found.upper).toBeCloseTo(1 - 0.025 ** (1 / 3) / 2, 12)
    expect(lossEvidence([side([0, 0], [0.5, 0.5])], false, 0.025).p).toBe(1)
    expect(lossEvidence([side([1], [0])], false, 0.025)).toMatchObject({ p: 1, upper: 1 })
    expect(lossEvidence([side([1], [0])], false, 0.025)).not.toHaveProperty('plan')
  })
})
