import { array, assert, double, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linearAxis, logAxis, placeAxis } from '../../../../../tools/site/components/plot/axis.ts'
import { paretoFront } from '../../../../../tools/site/pages/figures/front-points.ts'

const PIXELS = { from: 100, to: 500 }

describe('an axis', () => {
  test('has round ticks that enclose its values', () => {
    expect(linearAxis({ from: 0, to: 0.93 }, PIXELS).ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
    expect(linearAxis({ from: 3.81, to: 4.77 }, PIXELS).ticks).toEqual([3.8, 4, 4.2, 4.4, 4.6, 4.8])
    expect(logAxis({ from: 33, to: 892 }, PIXELS).ticks).toEqual([20, 50, 100, 200, 500, 1000])
    expect(placeAxis(9, PIXELS).ticks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(placeAxis(100, PIXELS).ticks).toEqual([1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
  })

  test('puts every value between its ends, in order', () => {
    assert(
      property(
        double({ min: 0.001, max: 1e6, noNaN: true }),
        double({ min: 1, max: 1e4, noNaN: true }),
        (from, factor) => {
          for (const axis of [
            linearAxis({ from, to: from * factor }, PIXELS),
            logAxis({ from, to: from * factor }, PIXELS),
          ]) {
            expect(axis.at(from)).toBeGreaterThanOrEqual(PIXELS.from)
            expect(axis.at(from * factor)).toBeLessThanOrEqual(PIXELS.to)
            expect(axis.at(from)).toBeLessThanOrEqual(axis.at(from * factor))
          }
        },
      ),
    )
  })
})

describe('the Pareto front', () => {
  test('has no member that another one beats, and leaves out only those that are beaten', () => {
    const point = record({ usd: integer({ min: 0, max: 9 }), winRate: integer({ min: 0, max: 9 }) })
    assert(
      property(array(point), (points) => {
        const front = paretoFront(points)
        for (const each of points) {
          const beaten = points.some(
            (other) =>
              other.usd <= each.usd &&
              other.winRate >= each.winRate &&
              (other.usd !== each.usd || other.winRate !== each.winRate),
          )
          expect(front.includes(each)).toBe(!beaten)
        }
      }),
    )
  })

  test('runs from cheap to dear', () => {
    const points = [
      { usd: 9, winRate: 0.9 },
      { usd: 1, winRate: 0.2 },
      { usd: 5, winRate: 0.1 },
    ]
    expect(paretoFront(points).map(({ usd }) => usd)).toEqual([1, 9])
  })
})
