import { describe, expect, it } from 'vitest'
import { chainFault } from '../../../targets/ratings/event.ts'
import { GIVEN_RATING } from '../../../targets/ratings/given-rating.ts'
import { activeSeconds, raterProgress, stillRating } from '../../../targets/ratings/progress.ts'
import { raterQueue } from '../../../targets/ratings/queue.ts'
import { labelOf, ratedUnits } from '../../../targets/ratings/rated-units.ts'
import { residualsOf } from '../../../targets/ratings/residuals.ts'
import { studyStatus } from '../../../targets/ratings/status.ts'
import { cutsOf, strataOf, thirdOf } from '../../../targets/ratings/draw/strata.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { answerOf, handedIn, hash, logOf, unitsOf, type MadeRating } from './made-ratings.ts'

const scored = (of: number, accuracy: number, more: Partial<MadeRating> = {}): MadeRating => ({
  of,
  ...more,
  content: { scores: { accuracy }, ...more.content },
})

const STUDY: Study = {
  version: 1,
  id: 'main',
  seed: '1',
  suites: [],
  overlap: 0.5,
  cuts: [],
  frames: [],
  units: unitsOf(4),
  raters: [
    { name: 'ann', units: [1, 2, 3] },
    { name: 'bob', units: [3, 4] },
  ],
}

describe('raterProgress', () => {
  it('counts what was planned, judged, left, changed and taken back, and the median of the seconds', () => {
    const given: readonly MadeRating[] = [
      scored(1, 3, { content: { safety: true, active_ms: 1000 } }),
      scored(1, 4, { content: { safety: true, active_ms: 3000 } }),
      { of: 2, kind: 'cannot-judge', content: { scores: {}, reason: 'other', active_ms: 9000 } },
      scored(9, 2, { content: { safety: false, active_ms: 4000 } }),
      scored(8, 2),
    ]
    const last = logOf(given).at(-1)
    const taken = logOf([
      ...given,
      {
        study: 'main',
        rater: 'ann',
        kind: 'withdrawn',
        at: '2026-01-02T00:00:00Z',
        withdraws: last?.id ?? '',
        content: null,
      },
    ])
    expect(raterProgress('ann', taken, STUDY)).toEqual({
      rater: 'ann',
      planned: 3,
      rated: 2,
      cannotJudge: 1,
      left: 1,
      outside: 1,
      changes: 1,
      withdrawn: 1,
      safety: 1,
      seconds: 4,
      handedIn: false,
    })
    expect(raterProgress('ann', [...taken, ...logOf([handedIn()])], STUDY).handedIn).toBe(true)
    expect(raterProgress('bob', logOf([scored(3, 3), scored(1, 3)], 'bob'), STUDY)).toMatchObject({
      planned: 2,
      left: 1,
      outside: 1,
    })
    expect(raterProgress('ann', [], undefined)).toMatchObject({ planned: 0, left: 0, seconds: null })
    expect(raterProgress('ann', logOf([scored(1, 3)]), STUDY).seconds).toBeNull()
  })

  it('awaits no rating of an answer that the plan found gone, and keeps those that there are', () => {
    const units = STUDY.units.map((unit, at) => (at < 2 ? { ...unit, drawn: [] } : unit))
    const study = { ...STUDY, units }
    const log = logOf([scored(1, 3)])
    expect(raterProgress('ann', log, study)).toMatchObject({ planned: 2, rated: 1, left: 1, outside: 0 })
    const [notes] = studyStatus('main', study, [{ rater: 'ann', events: log }]).benchmarks
    expect(notes).toMatchObject({ planned: 3, rated: 1 })
  })

  it('takes the middle of two between two', () => {
    const timed = (of: number, ms: number) => scored(of, 3, { content: { active_ms: ms } })
    const logs = [
      { rater: 'ann', events: logOf([timed(1, 2000), timed(2, 10_000)]) },
      { rater: 'bob', events: logOf([timed(1, 4000), timed(2, 3000)], 'bob') },
    ]
    expect(activeSeconds(logs)).toBe(3.5)
    expect(activeSeconds(logs.slice(1))).toBe(3.5)
    expect(activeSeconds([])).toBeUndefined()
  })
})

describe('studyStatus', () => {
  const cannot = (of: number): MadeRating => ({ of, kind: 'cannot-judge', content: { scores: {} } })
  const ann = logOf([scored(1, 1), scored(2, 3), scored(3, 5), scored(4, 4), cannot(5)])
  const bob = logOf([scored(1, 2), scored(2, 3), scored(3, 5), scored(5, 2)], 'bob')

  it('counts answers, those of two raters, and how far these lie apart', () => {
    const { hasPlan, raters, benchmarks } = studyStatus('main', STUDY, [
      { rater: 'bob', events: bob },
      { rater: 'cyd', events: [] },
      { rater: 'ann', events: ann },
    ])
    expect(hasPlan).toBe(true)
    expect(raters.map(({ rater, rated }) => [rater, rated])).toEqual([
      ['ann', 4],
      ['bob', 4],
      ['cyd', 0],
    ])
    const [notes, ...others] = benchmarks
    expect(others).toEqual([])
    // 1 and 2, 3 and 3, 5 and 5; answer 5 has one score.
    expect(notes).toMatchObject({ benchmark: 'notes', planned: 4, rated: 5, shared: 3, pairs: 1 })
    expect(notes?.apart).toBeCloseTo(1 / 3, 12)
    // Z-scores −1, 0, 1 and (−4, −1, 5)/√21: mean squares (13 + 6√(3/7) ...) by hand below.
    const other = [-4, -1, 5].map((each) => each / Math.sqrt(21))
    const means = [-1, 0, 1].map((each, at) => (each + (other[at] ?? 0)) / 2)
    const between = (2 * means.reduce((sum, each) => sum + each ** 2, 0)) / 2
    const rest = [-1, 0, 1].reduce((sum, each, at) => sum + 2 * (each - (means[at] ?? 0)) ** 2, 0) / 2
    expect(notes?.icc).toBeCloseTo((between - rest) / between, 12)
  })

  it('needs no plan, and keeps benchmarks apart', () => {
    const elsewhere = logOf([
      scored(1, 4, {
        subject: {
          ...(ann[0]?.subject ?? { instance: '', answer: null, rubric: null }),
          benchmark: 'letters',
        },
      }),
    ])
    const status = studyStatus('main', undefined, [
      { rater: 'ann', events: ann.slice(0, 2) },
      { rater: 'bob', events: elsewhere },
    ])
    expect(status).toMatchObject({ study: 'main', hasPlan: false })
    expect(status.benchmarks).toEqual([
      { benchmark: 'letters', planned: 0, rated: 1, shared: 0, icc: null, pairs: 0, apart: null },
      { benchmark: 'notes', planned: 0, rated: 2, shared: 0, icc: null, pairs: 0, apart: null },
    ])
    const [first, ...others] = STUDY.units
    const units = [...others, ...(first === undefined ? [] : [{ ...first, benchmark: 'letters' }])]
    expect(studyStatus('main', { ...STUDY, units }, []).benchmarks).toMatchObject([
      { benchmark: 'letters', planned: 1 },
      { benchmark: 'notes', planned: 3 },
    ])
  })
})

describe('stillRating', () => {
  const bob = { rater: 'bob', events: logOf([scored(3, 3), scored(4, 3), handedIn('bob')], 'bob') }
  const ann = (...given: Parameters<typeof logOf>[0]) => ({ rater: 'ann', events: logOf(given) })

  it('waits for who has answers left or has not handed in, and not for answers that are gone', () => {
    const rated = [scored(1, 3), scored(2, 3)]
    expect(stillRating(STUDY, [])).toMatchObject([
      { rater: 'ann', left: 3 },
      { rater: 'bob', left: 2 },
    ])
    expect(stillRating(STUDY, [ann(...rated, scored(3, 3)), bob])).toMatchObject([{ rater: 'ann', left: 0 }])
    expect(stillRating(STUDY, [ann(...rated, handedIn()), bob])).toMatchObject([{ rater: 'ann', left: 1 }])
    const units = STUDY.units.filter(({ number }) => number !== 3)
    expect(stillRating({ ...STUDY, units }, [ann(...rated, handedIn()), bob])).toEqual([])
    expect(stillRating({ ...STUDY, units: [] }, [])).toEqual([])
  })

  it('does not wait for who took back all', () => {
    const [event] = logOf([scored(1, 3)])
    const [withdrawal] = logOf([
      {
        study: 'main',
        rater: 'ann',
        kind: 'withdrawn',
        at: '2026-01-02T00:00:00Z',
        withdraws: event?.id ?? '',
        content: null,
      },
    ])
    if (event === undefined || withdrawal === undefined) throw new Error('two events')
    const taken = { rater: 'ann', events: [{ ...event, content: null }, withdrawal] }
    expect(stillRating(STUDY, [taken, bob])).toEqual([])
  })
})

describe('ratedUnits', () => {
  const at = (day: number): string => `2026-01-0${day}T00:00:00Z`
  const log = (score: number, day: number, rater = 'ann') => ({
    events: logOf([scored(1, score, { at: at(day), rater })], rater),
  })

  it('counts a rater of several studies once, with the last, in whatever order the logs come', () => {
    const [early, late] = [log(1, 1), log(5, 2)]
    for (const logs of [
      [early, late],
      [late, early],
    ])
      expect(labelOf(answerOf(1), ratedUnits(logs))).toBe(5)
    // Whatever digests the events have.
    for (let score = 1; score < 9; score += 1)
      expect(labelOf(answerOf(1), ratedUnits([log(0, 1), log(score, 2)]))).toBe(score)
    const [one, other] = [log(1, 1), log(5, 1)]
    const both = [
      [one, other],
      [other, one],
    ].map((logs) => labelOf(answerOf(1), ratedUnits(logs)))
    const greater = (one.events[0]?.id ?? '') > (other.events[0]?.id ?? '') ? 1 : 5
    expect(both).toEqual([greater, greater])
  })

  it('leaves out what could not be judged', () => {
    const cannot = {
      events: logOf([{ of: 1, kind: 'cannot-judge', rater: 'bob', content: { scores: {} } }], 'bob'),
    }
    expect(ratedUnits([cannot]).size).toBe(0)
    // A table without the answers' texts has no digest of them.
    const subject = {
      benchmark: 'notes',
      instance: hash('instance 1'),
      answer: null,
      rubric: null,
      model: 'x/one',
    }
    for (const more of [{}, { answer: hash('answer 1') }, { rubric: hash('rubric') }])
      expect(ratedUnits([{ events: logOf([scored(1, 3, { subject: { ...subject, ...more } })]) }]).size).toBe(
        0,
      )
    const found = ratedUnits([cannot, log(2, 1), log(5, 1, 'cyd')])
    expect(labelOf(answerOf(1), found)).toBe(3.5)
    expect(labelOf(answerOf(2), found)).toBeNull()
  })
})

describe('residualsOf by third', () => {
  it('has the spread of a third that has three labels, else that of all', () => {
    // The jury says nothing of the labels: off by 1, −1 and 0 below, by 3 and −3 above, two answers in the middle.
    const juries = [1, 1, 1, 3, 3, 5, 5, 5, 5, 5]
    const answers = juries.map((jury, index) => answerOf(index, { jury }))
    const labels = [2, 4, 3, 3, 3, 0, 6, 0, 6, 3]
    const rated = ratedUnits([{ events: logOf(labels.map((label, index) => scored(index, label))) }])
    const cuts = [
      [2, ''],
      [4, ''],
    ] as const
    expect(juries.map((jury) => thirdOf(answerOf(0, { jury }), cuts))).toEqual([0, 0, 0, 1, 1, 2, 2, 2, 2, 2])
    const found = residualsOf(answers, rated, cuts)
    expect(found?.variance).toBeCloseTo(38 / 9, 12)
    const [low = NaN, middle = NaN, high = NaN] = found?.byThird ?? []
    expect(low ** 2).toBeCloseTo(1, 12)
    expect(middle ** 2).toBeCloseTo(38 / 9, 12)
    expect(high ** 2).toBeCloseTo(36 / 4, 12)
    const flat = residualsOf(
      answers.map((answer) => ({ ...answer, jury: 3 })),
      rated,
      cuts,
    )
    expect(flat?.variance).toBeCloseTo(38 / 9, 12)
    // An answer that no judge scored tells nothing of the jury.
    const unjudged = answerOf(10, { jury: null })
    const withIt = ratedUnits([{ events: logOf([...labels, 6].map((label, index) => scored(index, label))) }])
    expect(residualsOf([...answers, unjudged], withIt, cuts)).toEqual(found)
  })

  it('has no strata of no answers, and joins those of fewer than six with the next', () => {
    const cuts = [
      [2, ''],
      [4, ''],
    ] as const
    const strata = (...juries: readonly number[]) =>
      strataOf(
        juries.map((jury, at) => answerOf(at, { jury })),
        cuts,
      ).map(({ thirds, answers }) => [thirds, answers.length])
    expect(strata()).toEqual([])
    expect(strata(1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5)).toEqual([
      [[0], 6],
      [[2], 6],
    ])
    expect(strata(1, 1, 1, 1, 1, 3, 5, 5, 5, 5, 5, 5)).toEqual([
      [[0, 1], 6],
      [[2], 6],
    ])
  })

  it('cuts thirds at every third place, equal scores by digest', () => {
    const answers = [5, 1, 3, 2, 6, 4].map((jury) => answerOf(jury, { jury }))
    expect(cutsOf(answers).map(([jury]) => jury)).toEqual([2, 4])
    const equal = ['b', 'a', 'c'].map((answer) => answerOf(0, { jury: 3, answer }))
    const cuts = cutsOf(equal)
    expect(cuts).toEqual([
      [3, 'a'],
      [3, 'b'],
    ])
    expect(equal.map((answer) => thirdOf(answer, cuts))).toEqual([1, 0, 2])
    expect(cutsOf([])).toEqual([
      [0, ''],
      [0, ''],
    ])
  })
})

describe('raterQueue', () => {
  it('holds practice, then what counts, each in its own order', () => {
    const { number: _, drawn: __, ...practised } = STUDY.units[3] ?? { number: 0, drawn: [] }
    const study = { ...STUDY, practice: [practised] } as Study
    expect(
      raterQueue(study, 'bob').map(({ number, order, isPractice }) => [number, order, isPractice]),
    ).toEqual([
      [1, 1, true],
      [3, 1, false],
      [4, 2, false],
    ])
    expect(raterQueue(STUDY, 'ann').map(({ unit }) => unit)).toEqual(STUDY.units.slice(0, 3))
    expect(raterQueue(study, 'eve')).toEqual([])
    expect(raterQueue({ ...STUDY, raters: [{ name: 'ann', units: [7, 2] }] }, 'ann')).toHaveLength(1)
  })
})

describe('a log', () => {
  it('tells a line that is missing, that was changed, and scores that were', () => {
    const [first, second] = logOf([scored(1, 3), scored(2, 4)])
    if (first === undefined || second === undefined) throw new Error('two events')
    expect(chainFault(second, first.id)).toBeUndefined()
    expect(chainFault(second, null)).toMatch(/missing or moved/)
    expect(chainFault({ ...second, at: '2027-01-01T00:00:00Z' }, first.id)).toBe('it was changed')
    const content = { nonce: '0123456789abcdef', scores: { accuracy: 1 } }
    expect(chainFault({ ...second, content }, first.id)).toBe('its scores were changed')
    expect(chainFault({ ...second, content: null }, first.id)).toBeUndefined()
  })

  it('takes times of up to a day', () => {
    const given = { item: 1, scores: {}, reason: null, safety: false, comment: '', opened: [] }
    expect(GIVEN_RATING.safeParse({ ...given, active_ms: 86_400_000 }).success).toBe(true)
    expect(GIVEN_RATING.safeParse({ ...given, active_ms: 86_400_001 }).success).toBe(false)
  })
})
