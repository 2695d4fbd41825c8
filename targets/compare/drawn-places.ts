import type { Interval } from '../statistics/interval.ts'

/** How sure a model's place is. */
export interface PlaceDoubt {
  /** Best and worst place in the middle 95 % of the resamples. */
  readonly ranks: Interval
  /**
   * Share of the resamples in which it came first, or among the first three; a shared first place is parted, so that
   * the models' shares of first places add to 1.
   */
  readonly first: number
  readonly topThree: number
}

const TAIL = 0.025

/** @param rates of each model by resample; NaN where it takes no part */
export const placeDoubts = (rates: readonly Float64Array[]): readonly PlaceDoubt[] => {
  const counts = rates.map(() => new Int32Array(rates.length + 1))
  const firsts = new Float64Array(rates.length)
  const drawn = new Float64Array(rates.length)
  let held = 0
  for (let resample = 0; resample < (rates[0]?.length ?? 0); resample += 1) {
    for (let model = 0; model < drawn.length; model += 1) drawn[model] = rates[model]?.[resample] ?? NaN
    const bestFirst = drawn
      .filter((rate) => !Number.isNaN(rate))
      .sort()
      .reverse()
    const sharing = bestFirst.lastIndexOf(bestFirst[0] ?? NaN) + 1
    held += bestFirst.length === 0 ? 0 : 1
    for (const [model, rate] of drawn.entries()) {
      if (Number.isNaN(rate)) continue
      const rank = bestFirst.indexOf(rate) + 1
      const own = counts[model]
      if (own !== undefined) own[rank] = (own[rank] ?? 0) + 1
      if (rank === 1) firsts[model] = (firsts[model] ?? 0) + 1 / sharing
    }
  }
  return counts.map((own, model) => {
    const total = own.reduce((sum, count) => sum + count, 0)
    return {
      ranks: rankInterval(own, total),
      first: (firsts[model] ?? 0) / Math.max(1, held),
      topThree: own.subarray(0, 4).reduce((sum, count) => sum + count, 0) / Math.max(1, held),
    }
  })
}

/** The middle 95 % of places, both ends places that were taken. @param counts resamples by place */
const rankInterval = (counts: Int32Array, total: number): Interval => {
  if (total === 0) return { low: 1, high: 1 }
  const at = (place: number): number => {
    let passed = 0
    return counts.findIndex((count) => (passed += count) > place)
  }
  return { low: at(Math.floor(TAIL * (total - 1))), high: at(Math.ceil((1 - TAIL) * (total - 1))) }
}
