import { describe, expect, test } from 'vitest'
import { plannedFacts } from '../../../../targets/jury/study/planned-facts.ts'
import {
  plannedScore,
  plannedStrata,
  type PlannedStratum,
} from '../../../../targets/jury/study/planned-score.ts'
import { studentT } from '../../../../targets/statistics/distributions/student-t.ts'
import { stratifiedMean } from '../../../../targets/statistics/calibration/stratified-mean.ts'
import { answers } from './judged-answers.ts'

const SCALE = [1, 5] as const
const RATERS = ['a', 'b', 'c', 'd', 'e', 'f']

/** 30 answers in two strata; of 10 and 6 that were rated every other one by two raters, whose levels differ. */
const RATED = answers(
  Array.from({ length: 30 }, (_, at) => [at < 18 ? 2 : 4, isRated(at) ? meanOf(givenTo(at)) : null] as const),
  (at) => ({
    planned: { stratum: at < 18 ? 1 : 2, isDrawn: isRated(at) },
    ...(isRated(at) && { given: givenTo(at) }),
  }),
)

function isRated(at: number): boolean {
  return at < 10 || (at >= 18 && at < 24)
}

function givenTo(at: number): readonly { readonly rater: string; readonly score: number }[] {
  return [at, at + 1].slice(0, 1 + (at % 2)).map((each) => {
    const rater = each % RATERS.length
    return { rater: RATERS[rater] ?? '', score: (at < 18 ? 1.5 : 3) + rater * 0.3 + (at % 3) / 10 }
  })
}

function meanOf(given: readonly { readonly score: number }[]): number {
  return given.reduce((sum, { score }) => sum + score, 0) / given.length
}

const strata = plannedStrata(RATED, SCALE) ?? []
const score = plannedScore(strata, RATED, SCALE)
const facts = plannedFacts(strata, score, { scale: SCALE, more: 4 })

describe('facts of a planned sample', () => {
  test('are none without a value and both of its intervals', () => {
    const of = (other: Partial<typeof score>) =>
      plannedFacts(strata, { ...score, ...other }, { scale: SCALE, more: 4 })
    expect(of({})).toEqual(facts)
    for (const name of ['value', 'raw', 'interval', 'onThese'] as const)
      expect(of({ [name]: null }), name).toBeUndefined()
  })

  test('tell what the jury gives more about its own mean, turned about', () => {
    const { raw, value, onThese } = score
    if (raw === null || value === null || onThese == null) throw new Error('no score')
    expect(facts?.bias.value).toBeCloseTo(raw - value, 12)
    expect(facts?.bias.interval.low).toBeCloseTo(raw - onThese.high, 12)
    expect(facts?.bias.interval.high).toBeCloseTo(raw - onThese.low, 12)
  })

  test('tell how wide more labels would leave the interval, by its longer side where the scale cuts it', () => {
    const { value, onThese } = score
    if (value === null || onThese == null) throw new Error('no score')
    expect(facts?.more?.halfWidth).toBeCloseTo((facts?.more?.share ?? NaN) * (onThese.high - value), 12)
    for (const [low, high] of [
      [value - 0.1, value + 0.4],
      [value - 0.4, value + 0.1],
    ] as const) {
      const cut = plannedFacts(strata, { ...score, onThese: { low, high } }, { scale: SCALE, more: 4 })
      expect(cut?.more?.halfWidth).toBeCloseTo((facts?.more?.share ?? NaN) * 0.4, 12)
    }
  })

  test('are sure of raters like these as an analysis of variance of what their ratings are off by says', () => {
    const { estimate, lambda, likeTheseError, df } = stratifiedMean(strata, 0.95)
    const rows = strata.flatMap((stratum) => rowsOf(stratum, lambda))
    const by = RATERS.map((rater) => rows.filter((row) => row.rater === rater))
    const mean = (of: readonly { readonly off: number }[]): number =>
      of.reduce((sum, { off }) => sum + off, 0) / of.length
    const between = by.reduce((sum, own) => sum + own.length * (mean(own) - mean(rows)) ** 2, 0) / 5
    const within =
      by.reduce((sum, own) => sum + own.reduce((part, { off }) => part + (off - mean(own)) ** 2, 0), 0) /
      (rows.length - 6)
    expect(between).toBeGreaterThan(within)
    const usual = (rows.length - by.reduce((sum, own) => sum + own.length ** 2, 0) / rows.length) / 5
    const share = by.reduce(
      (sum, own) => sum + (own.reduce((part, { answers: stand }) => part + stand, 0) / 30) ** 2,
      0,
    )
    const [more, less] = [(share / usual) * between, (share / usual) * within]
    const variance = likeTheseError ** 2 + more - less
    const degrees = variance ** 2 / (likeTheseError ** 4 / df + more ** 2 / 5 + less ** 2 / (rows.length - 6))
    const half = studentT(0.95, degrees) * Math.sqrt(variance)
    expect(facts?.likeRaters?.low).toBeCloseTo(estimate - half, 9)
    expect(facts?.likeRaters?.high).toBeCloseTo(estimate + half, 9)
  })
})

/** What each rating is off by of its stratum's labels less predictions, and for how many answers it stands. */
const rowsOf = (stratum: PlannedStratum, lambda: number) => {
  const off = stratum.labels.map((label, at) => label - lambda * (stratum.predictions[at] ?? NaN))
  const level = off.reduce((sum, each) => sum + each, 0) / off.length
  return stratum.given.flatMap((given, at) =>
    given.map(({ rater, score: own }) => ({
      rater,
      off: (off[at] ?? NaN) - level + own - (stratum.labels[at] ?? NaN),
      answers: stratum.all.length / stratum.labels.length / given.length,
    })),
  )
}
