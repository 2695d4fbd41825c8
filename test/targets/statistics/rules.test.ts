import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupGaps } from '../../../targets/statistics/intervals/group-gap.ts'
import { meanInterval } from '../../../targets/statistics/intervals/mean-interval.ts'
import { pairDifference } from '../../../targets/statistics/paired/pair-difference.ts'
import { answer } from './oracle.ts'

/** A jury's scores on 1 to 5, 0/1 answers, and scores at the ceiling. */
const score = fc.oneof(
  fc.integer({ min: 9, max: 45 }).map((ninths) => ninths / 9),
  fc.constantFrom(1, 5),
  fc.constant(5),
)
const instances = fc.array(
  fc.record({
    a: fc.option(score, { freq: 8 }),
    b: fc.option(score, { freq: 8 }),
    source: fc.constantFrom('p', 'q', 'r', 's', 't'),
  }),
  { minLength: 2, maxLength: 30 },
)

type Instance = { readonly a: number | null; readonly b: number | null; readonly source: string }

const pairOf = (rows: readonly Instance[], withSources: boolean): object => ({
  a: rows.map(({ a }) => a),
  b: rows.map(({ b }) => b),
  lo: 1,
  hi: 5,
  confidence: 0.95,
  ...(withSources && { sources: rows.map(({ source }) => source) }),
})

interface Found {
  readonly low?: number
  readonly high?: number
  readonly p?: number
}

const ask = (method: string, input: object): Found => answer(method, input) as Found

/** Another order, other names. */
const shuffled = (rows: readonly Instance[]): readonly Instance[] =>
  rows
    .map((row, at) => ({ row, key: (at * 7919) % 31 }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ row }) => ({ ...row, source: `${'zyxwv'['pqrst'.indexOf(row.source)]}-patient` }))

describe('rules that hold for any data', () => {
  test('no interval has width zero, and none leaves the scale', () => {
    fc.assert(
      fc.property(instances, fc.boolean(), (rows, withSources) => {
        const difference = ask('missing.difference', pairOf(rows, withSources))
        if (difference.low === undefined || difference.high === undefined) return
        expect(difference.high).toBeGreaterThan(difference.low)
        expect(difference.low).toBeGreaterThanOrEqual(-4)
        expect(difference.high).toBeLessThanOrEqual(4)
      }),
    )
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 40 }), (values) => {
        const { low = NaN, high = NaN } = ask('mean.bounded', { values, lo: 1, hi: 5, confidence: 0.95 })
        expect(high).toBeGreaterThan(low)
        expect(low).toBeGreaterThanOrEqual(1)
        expect(high).toBeLessThanOrEqual(5)
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect(low).toBeLessThanOrEqual(mean + 1e-9)
        expect(high).toBeGreaterThanOrEqual(mean - 1e-9)
      }),
    )
  })

  test('p is below 0.05 exactly where the interval leaves 0 out, with judgements missing or not', () => {
    fc.assert(
      fc.property(instances, fc.boolean(), (rows, withSources) => {
        const { low, high, p } = ask('missing.difference', pairOf(rows, withSources))
        if (low === undefined || high === undefined || p === undefined) return
        if (Math.min(Math.abs(low), Math.abs(high)) < 1e-9) return
        expect(p < 0.05).toBe(low > 0 || high < 0)
      }),
      { numRuns: 400 },
    )
  })

  test("neither the order of instances nor sources' names change a digit", () => {
    fc.assert(
      fc.property(instances, fc.boolean(), (rows, withSources) => {
        const again = shuffled(rows)
        expect(ask('missing.difference', pairOf(again, withSources))).toEqual(
          ask('missing.difference', pairOf(rows, withSources)),
        )
        const of = (some: readonly Instance[]): object => ({
          values: some.map(({ a }) => a ?? 1),
          sources: some.map(({ source }) => source),
          lo: 1,
          hi: 5,
          confidence: 0.95,
        })
        for (const method of ['mean.bounded', 'mean.clustered'])
          expect(ask(method, of(again))).toEqual(ask(method, of(rows)))
      }),
    )
  })

  test('a contrast turned round has the same p, and its interval is mirrored', () => {
    fc.assert(
      fc.property(instances, (rows) => {
        const there = ask('missing.difference', pairOf(rows, true))
        const back = ask(
          'missing.difference',
          pairOf(
            rows.map(({ a, b, source }) => ({ a: b, b: a, source })),
            true,
          ),
        )
        if (there.p === undefined) return
        expect(back.p).toBeCloseTo(there.p, 12)
        expect(back.low).toBeCloseTo(-(there.high ?? NaN), 10)
      }),
    )
  })
})

describe('a scale', () => {
  const shares = [0, 0.25, 0.75, 1, 0.5, 0.25]
  const others = [0.25, 0.25, 1, 1, 0, 0.75]
  const sources = ['p', 'p', 'q', 'q', 'r', 's']
  /** In shares of the scale. */
  const all = (size: number): readonly (number | null | undefined)[] => {
    const metric = { isBinary: false, range: { low: 0, high: size } }
    const on = (values: readonly number[]): readonly number[] => values.map((value) => value * size)
    const lost = on(shares).with(1, NaN)
    const ends = (interval: { readonly low: number; readonly high: number } | null | undefined) =>
      interval ? [interval.low / size, interval.high / size] : [null]
    const run = { benchmark: 'b', a: on(shares), b: on(others), sources }
    const pairs = [pairDifference([run, run], metric), pairDifference([{ ...run, a: lost }], metric)]
    return [
      ...[[on(shares)], [lost], [on(shares), on(others)]].flatMap((runs) =>
        ends(
          meanInterval(
            runs.map((values) => ({ values })),
            metric,
            0.95,
          ).interval,
        ),
      ),
      ...ends(meanInterval([{ values: lost, sources }], metric, 0.95).interval),
      ...pairs.flatMap(({ p, interval }) => [p, ...ends(interval)]),
      ...groupGaps([[{ values: on(shares), sources }], [{ values: on(others), sources }]], metric, {
        confidence: 0.95,
        family: 1,
      }).flatMap(({ interval }) => ends(interval)),
    ]
  }

  test.each([1e300, 1e-300, 4])('of width %d changes nothing but the unit', (size) => {
    const plain = all(1)
    expect(plain.every((figure) => typeof figure === 'number')).toBe(true)
    for (const [at, figure] of all(size).entries()) expect(figure).toBeCloseTo(plain[at] ?? NaN, 10)
  })

  test('without ends refuses values whose squares no number holds', () => {
    const open = { isBinary: false }
    const values = [1e200, 2e200, 5e200]
    expect(meanInterval([{ values }], open, 0.95).interval).toBeNull()
    const b = values.toReversed()
    expect(pairDifference([{ benchmark: 'b', a: values, b }], open)).toMatchObject({
      p: null,
      interval: null,
    })
  })
})
