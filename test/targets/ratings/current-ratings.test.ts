import { describe, expect, it } from 'vitest'
import {
  compositeOf,
  currentRatings,
  hasHandedIn,
  practiceRatings,
} from '../../../targets/ratings/current-ratings.ts'
import { labelOf, ratedUnits } from '../../../targets/ratings/rated-units.ts'
import { raterProgress } from '../../../targets/ratings/progress.ts'
import { raterQueue, queueKey } from '../../../targets/ratings/queue.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { unitKey } from '../../../targets/ratings/unit.ts'
import { answerOf, handedIn, logOf, RUBRIC } from './made-ratings.ts'

const scoresOf = (events: Parameters<typeof currentRatings>[0]) =>
  currentRatings(events).map(({ content, changes }) => [content.scores['accuracy'], changes])

describe('currentRatings', () => {
  it('holds the last word on each answer, none that was withdrawn, and no practice', () => {
    const first = logOf([
      { of: 1, content: { scores: { accuracy: 1 } } },
      { of: 2, content: { scores: { accuracy: 2 } } },
      { of: 1, content: { scores: { accuracy: 5 } } },
      { of: 3, practice: true },
    ])
    expect(scoresOf(first)).toEqual([
      [5, 1],
      [2, 0],
    ])
    expect(practiceRatings(first)).toHaveLength(1)
    const gone = logOf([
      { of: 1, content: { scores: { accuracy: 1 } } },
      { ...handedIn(), kind: 'withdrawn', withdraws: first[0]?.id ?? '' },
    ])
    expect(currentRatings(gone)).toEqual([])
  })

  it('goes by lines within a desk or a file, whatever its clock, and by clocks between them', () => {
    const [early, late] = ['2026-01-01T08:00:00Z', '2026-01-03T08:00:00Z']
    const rated = (score: number, at: string, origin?: string) => ({
      of: 1,
      at,
      content: { scores: { accuracy: score } },
      ...(origin === undefined ? {} : { origin }),
    })
    expect(scoresOf(logOf([rated(1, late), rated(2, early)]))).toEqual([[2, 1]])
    expect(scoresOf(logOf([rated(1, late, 'p:1'), rated(2, early, 'p:2')]))).toEqual([[2, 1]])
    expect(scoresOf(logOf([rated(1, late), rated(2, early, 'p:1')]))).toEqual([[1, 0]])
    expect(scoresOf(logOf([rated(1, early), rated(2, late, 'p:1')]))).toEqual([[2, 1]])
    // Who rates in the desk after a file was taken in sees what it says, and means to change it.
    expect(scoresOf(logOf([rated(1, late, 'p:1'), rated(2, early)]))).toEqual([[2, 1]])
    expect(scoresOf(logOf([rated(1, late, 'p:1'), rated(2, early, 'q:1')]))).toEqual([[1, 0]])
    // At the same moment the later line holds, and a line whose words were taken out says nothing.
    expect(scoresOf(logOf([rated(1, late), rated(2, late, 'p:1')]))).toEqual([[2, 1]])
    const [first, second] = logOf([rated(1, early), rated(2, late)])
    if (first === undefined || second === undefined) throw new Error('two events')
    expect(scoresOf([first, { ...second, content: null }])).toEqual([[1, 0]])
  })

  it('makes one score of the criteria that were judged, or what the rubric’s points made of them', () => {
    const composite = (content: object, isRated = true) =>
      compositeOf({ isRated, content: { nonce: '', scores: {}, ...content } })
    expect(composite({ scores: { a: 1, b: 4 } })).toBe(2.5)
    expect(composite({ scores: { a: 1, b: 4 } }, false)).toBeNull()
    expect(composite({})).toBeNull()
    expect(composite({ scores: { a: 1 }, composite: -0.5 })).toBe(-0.5)
    expect(composite({ scores: { a: 1 }, composite: null })).toBeNull()
  })

  it('knows whether a rater has handed in, and nothing since but withdrawals', () => {
    const log = logOf([{ of: 1 }, handedIn()])
    expect(hasHandedIn(log)).toBe(true)
    expect(hasHandedIn(logOf([{ of: 1 }, handedIn(), { of: 2 }]))).toBe(false)
    expect(hasHandedIn(logOf([{ of: 1 }, handedIn(), { ...handedIn(), kind: 'withdrawn' }]))).toBe(true)
    expect(hasHandedIn([])).toBe(false)
  })
})

describe('ratedUnits', () => {
  it('counts a rater once for an answer, with the later word of two studies, and means over raters', () => {
    const at = (day: number) => `2026-01-0${day}T00:00:00Z`
    const rated = ratedUnits([
      { events: logOf([{ of: 1, at: at(1), content: { scores: { accuracy: 1 } } }]) },
      { events: logOf([{ of: 1, at: at(3), study: 'other', content: { scores: { accuracy: 5 } } }]) },
      {
        events: logOf([{ of: 1, at: at(2), content: { scores: { accuracy: 2 } } }], 'bob').map((event) => ({
          ...event,
          rater: 'bob',
        })),
      },
      { events: logOf([{ of: 2, kind: 'cannot-judge', content: { scores: {}, reason: 'other' } }]) },
      { events: logOf([{ of: 4, practice: true }]) },
      {
        events: logOf([
          { of: 5, at: at(2) },
          { of: 6, at: at(2) },
        ]),
      },
      {
        events: logOf(
          [3, 1].map((day, index) => ({
            of: 5 + index,
            at: at(day),
            study: 'other',
            kind: 'cannot-judge',
            content: { scores: {}, reason: 'other' },
          })),
        ),
      },
    ])
    expect(rated.get(unitKey(answerOf(1)))).toHaveLength(2)
    expect(labelOf(answerOf(1), rated)).toBe(3.5)
    expect([labelOf(answerOf(2), rated), labelOf(answerOf(4), rated)]).toEqual([null, null])
    // That it can't be judged is a word, too.
    expect([labelOf(answerOf(5), rated), labelOf(answerOf(6), rated)]).toEqual([null, 3])
  })
})

const unit = (number: number) => {
  const { benchmark, instance, answer } = answerOf(number)
  return { benchmark, instance, answer, rubric: RUBRIC }
}

const STUDY: Study = {
  version: 1,
  id: 'main',
  seed: '1',
  suites: [],
  overlap: 0,
  cuts: [],
  frames: [],
  units: [1, 2, 3].map((number) => ({ ...unit(number), number, drawn: [[0, 0]] })),
  practice: [unit(9)],
  raters: [{ name: 'ann', units: [3, 1] }],
}

describe('raterProgress', () => {
  it('counts what was rated, could not be judged and is left, and times the middle answer', () => {
    const events = logOf([
      { of: 9, practice: true, content: { active_ms: 1 } },
      { of: 3, content: { active_ms: 10_000, safety: true } },
      { of: 3, content: { active_ms: 20_000 } },
      { of: 2, content: { active_ms: 50_000 } },
    ])
    expect(raterProgress('ann', events, STUDY)).toEqual({
      rater: 'ann',
      planned: 2,
      rated: 2,
      cannotJudge: 0,
      left: 1,
      outside: 1,
      changes: 1,
      withdrawn: 0,
      safety: 0,
      seconds: 35,
      handedIn: false,
    })
    expect(raterProgress('zoe', [], undefined)).toMatchObject({ planned: 0, left: 0, seconds: null })
  })
})

describe('raterQueue', () => {
  it('is practice, then the rater’s own units in the plan’s order; nothing for a stranger', () => {
    expect(
      raterQueue(STUDY, 'ann').map(({ number, order, isPractice }) => [number, order, isPractice]),
    ).toEqual([
      [1, 1, true],
      [3, 1, false],
      [1, 2, false],
    ])
    expect(raterQueue(STUDY, 'zoe')).toEqual([])
    expect(queueKey('k', true)).not.toBe(queueKey('k', false))
  })
})
