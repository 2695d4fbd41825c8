import { describe, expect, it } from 'vitest'
import { namesItself } from '../../../targets/ratings/names-itself.ts'
import { driftOf, raterReports } from '../../../targets/ratings/rater-report.ts'
import { answerOf, handedIn, logOf, unitsOf, type MadeRating } from './made-ratings.ts'

const scored = (of: number, accuracy: number, more: object = {}): MadeRating => ({
  of,
  content: { scores: { accuracy }, ...more },
})

describe('driftOf', () => {
  const beyond = (count: number, points: (order: number) => number) =>
    Array.from({ length: count }, (_, at) => ({
      // Given backwards: an item that was gone back to has its old place.
      rating: { order: count - at, subject: answerOf(count - at) },
      points: points(count - at),
    }))

  it('is the slope along the order of the plan, from ten ratings on, with its interval', () => {
    expect(driftOf(beyond(9, () => 3))).toBeNull()
    const drift = driftOf(beyond(10, (order) => order + (order % 2 === 0 ? 0.5 : -0.5)))
    expect(drift?.ratings).toBe(10)
    expect(drift?.low).toBeLessThan(drift?.slope ?? NaN)
    expect((drift?.low ?? NaN) + (drift?.high ?? NaN)).toBeCloseTo(2 * (drift?.slope ?? NaN), 12)
    // Ordinary least squares by hand: Σ(x−5.5)(y−ȳ) = 82.5 + 2.5 over Σ(x−5.5)² = 82.5.
    expect(drift?.slope).toBeCloseTo(85 / 82.5, 12)
    // A table tells no order.
    const unordered = beyond(10, (order) => order).map(({ points }) => ({
      rating: { subject: answerOf(1) },
      points,
    }))
    expect(driftOf(unordered)).toBeNull()
  })

  it('is none where later items are only of another stratum, as a plan that was extended may draw them', () => {
    const rated = beyond(20, (order) => (order <= 10 ? 1 : 4) + ((order - 1) % 2))
    const units = unitsOf(20).map((unit, at) => ({
      ...unit,
      drawn: [[0, at < 10 ? 0 : 1]] as [number, number][],
    }))
    expect(driftOf(rated)?.low).toBeGreaterThan(0)
    const drift = driftOf(rated, [{ id: 'main', units }])
    expect(drift?.low).toBeLessThan(0)
    // Of two plans, which number their strata alike.
    const [one, two] = [units.slice(0, 10), units.slice(10)].map((own, at) => ({
      id: String(at),
      units: own.map((unit) => ({ ...unit, drawn: [[0, 0]] as [number, number][] })),
    }))
    expect(driftOf(rated, one && two && [one, two])).toEqual(drift)
    // Within ten of which each second is a point higher: Σ(x−5.5)(y−ȳ) = 2.5 over Σ(x−5.5)² = 82.5.
    expect(drift?.slope).toBeCloseTo(2.5 / 82.5, 12)
  })
})

describe('raterReports', () => {
  const juryOf = () => 3
  const ann = {
    rater: 'ann',
    events: logOf([
      { ...scored(9, 5), practice: true },
      scored(1, 2, { opened: ['reference'], active_ms: 1000 }),
      scored(1, 1, { opened: [], active_ms: 2000 }),
      scored(2, 3, { opened: ['context'], active_ms: 6000 }),
      scored(3, 5),
      { of: 4, kind: 'cannot-judge', content: { scores: {}, reason: 'other', opened: ['context'] } },
      handedIn(),
    ]),
  }
  const MIXED: readonly MadeRating[] = [
    { ...scored(9, 5), practice: true },
    scored(1, 3, { opened: [] }),
    scored(2, 5, { opened: [] }),
  ]
  const bob = { rater: 'bob', events: logOf([scored(1, 2), scored(2, 3), scored(3, 4)], 'bob') }

  it('tells level, spread, distance from jury and others, and what was opened, before a change, too', () => {
    const [first, second, ...others] = raterReports([ann, bob], { plans: [], juryOf })
    expect(others).toEqual([])
    expect(first).toMatchObject({
      rater: 'ann',
      benchmark: 'notes',
      rated: 3,
      cannotJudge: 0.25,
      level: 3,
      spread: 2,
      aboveJury: 0,
      icc: 1,
      pairs: 1,
      seconds: 4,
      drift: null,
      practice: { rated: 1, aboveJury: 2 },
    })
    // 1 and 2, 3 and 3, 5 and 4; one of the three that came from a desk was opened.
    expect([first?.apart, first?.opened]).toEqual([2 / 3, 1 / 3])
    expect(second).toMatchObject({ level: 3, spread: 1, icc: 1, opened: null, seconds: null })
  })

  it('tells each benchmark by itself, practice and those who rated with one, too', () => {
    const subject = { ...answerOf(1), benchmark: 'letters' }
    const more = (accuracy: number): MadeRating => ({
      ...scored(1, accuracy, { opened: ['reference'] }),
      subject,
    })
    const events = logOf([...MIXED, more(1), { ...more(2), practice: true }])
    const cyd = { rater: 'cyd', events: logOf([scored(2, 4)], 'cyd') }
    const found = raterReports([{ rater: 'ann', events }, cyd], { plans: [], juryOf })
    expect(found).toMatchObject([
      // One rating has no spread.
      { rater: 'ann', benchmark: 'letters', rated: 1, cannotJudge: 0, level: 1, spread: null, apart: null },
      { rater: 'ann', benchmark: 'notes', rated: 2, level: 4, spread: Math.SQRT2, apart: 1, opened: 0 },
      { rater: 'cyd', benchmark: 'notes', rated: 1, spread: null, apart: 1, drift: null },
    ])
    expect(found.map(({ practice }) => practice)).toEqual([
      { rated: 1, aboveJury: -1 },
      { rated: 1, aboveJury: 2 },
      { rated: 0, aboveJury: null },
    ])
  })

  it('tells nothing of a jury that nobody knows, nor of raters who rated nothing', () => {
    const cyd = { rater: 'cyd', events: [] }
    const found = raterReports([bob, cyd], { plans: [], juryOf: () => null })
    expect(found).toMatchObject([{ rater: 'bob', aboveJury: null, drift: null, icc: null, apart: null }])
  })
})

describe('namesItself', () => {
  it('finds makers and models, of the study, too, and no words of medicine', () => {
    for (const text of ['As ChatGPT, I', 'gpt-4o says', 'Made by Anthropic.', 'the model MED-7B-it wrote'])
      expect(namesItself(text, ['med-7b-it']), text).toBe(true)
    for (const text of ['GPT 45 U/l', 'A meta-analysis', 'lead poisoning', 'anthropics'])
      expect(namesItself(text, ['lead', 'a1']), text).toBe(false)
  })
})
