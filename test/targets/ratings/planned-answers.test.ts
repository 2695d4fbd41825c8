import { describe, expect, it } from 'vitest'
import { makeStudy, type StudyWish } from '../../../targets/ratings/make-study.ts'
import { labelledAnswers, plannedAnswers } from '../../../targets/ratings/planned-answers.ts'
import { ratedUnits } from '../../../targets/ratings/rated-units.ts'
import { studyStatus } from '../../../targets/ratings/status.ts'
import { unitKey } from '../../../targets/ratings/unit.ts'
import { answerOf, hash, logOf, RUBRIC } from './made-ratings.ts'

const ANSWERS = Array.from({ length: 30 }, (_, at) => answerOf(at, { jury: 1 + (at % 5) }))
const RUN = { benchmark: 'notes', model: 'x/one', rubric: RUBRIC, answers: ANSWERS }
const OFFERED = { ...RUN, access: 'public', range: 4 } as const
const WISH: StudyWish = {
  id: 'main',
  seed: '1',
  suites: [],
  raters: ['ann', 'bob'],
  overlap: 1,
  size: { labels: 12 },
  allocation: 'proportional',
  practice: 3,
}
/** By one rater, who rates nothing for practice. */
const PLAIN: StudyWish = { ...WISH, raters: ['ann'], overlap: 0, practice: 0 }
const NONE = { rated: ratedUnits([]) }
const study = makeStudy([OFFERED], WISH, NONE)
const numberOf = (answer: string): number => ANSWERS.findIndex((each) => each.answer === answer)
const drawn = study.units.map(({ answer }) => numberOf(answer))
const byNumber = (a: number, b: number): number => a - b
const rated = ratedUnits([{ events: logOf(drawn.map((of) => ({ of }))) }])

describe('plannedAnswers', () => {
  it('says of each judged answer where it lies in the draw, and whether it was drawn', () => {
    const { placed: places, ...plan } = plannedAnswers(RUN, [study], rated) ?? {}
    expect(plan).toEqual({ study, since: 0 })
    expect(places?.size).toBe(30)
    const isDrawn = ANSWERS.filter((answer) => places?.get(unitKey(answer))?.isDrawn === true)
    expect(isDrawn.map(({ answer }) => numberOf(answer))).toEqual(drawn.toSorted(byNumber))
    for (const [at, { size, answers }] of (study.frames[0]?.strata ?? []).entries()) {
      const own = ANSWERS.filter((answer) => places?.get(unitKey(answer))?.stratum === at)
      expect(own).toHaveLength(size)
      for (const { answer } of own) expect(answers).toContain(answer.slice(0, 16))
    }
  })

  it('takes no sample of other answers for one of these, and none without labels', () => {
    expect(plannedAnswers(RUN, [study], ratedUnits([]))).toBeUndefined()
    // Labels of answers that this study did not draw are none of its sample.
    const others = ANSWERS.flatMap((_, of) => (drawn.includes(of) ? [] : [{ of }]))
    expect(plannedAnswers(RUN, [study], ratedUnits([{ events: logOf(others) }]))).toBeUndefined()
    expect(plannedAnswers({ ...RUN, model: 'x/two' }, [study], rated)).toBeUndefined()
    expect(plannedAnswers({ ...RUN, benchmark: 'letters' }, [study], rated)).toBeUndefined()
    expect(plannedAnswers({ ...RUN, rubric: hash('another') }, [study], rated)).toBeUndefined()
  })

  it('holds for what is left of the answers, and places what came since in no stratum of it', () => {
    const placesOf = (answers: typeof ANSWERS) => plannedAnswers({ ...RUN, answers }, [study], rated)
    const whole = placesOf(ANSWERS)?.placed ?? new Map()
    const fewer = ANSWERS.slice(10)
    expect(placesOf(fewer)).toEqual({
      study,
      placed: new Map(fewer.map((answer) => [unitKey(answer), whole.get(unitKey(answer))])),
      since: 0,
    })
    const grown = [...ANSWERS, answerOf(98), answerOf(99)]
    const { placed, since } = placesOf(grown) ?? {}
    expect([placed?.size, since]).toEqual([32, 2])
    expect(placed?.get(unitKey(answerOf(99)))).toEqual({ stratum: 3, wave: 1, isDrawn: false })
    expect(new Map([...(placed ?? [])].slice(0, 30))).toEqual(whole)
    // What no judge scored was in no draw.
    for (const more of [{ jury: null, unrated: 'unjudged' }, { jury: null }, { unrated: 'empty' }] as const)
      expect(placesOf([...ANSWERS, answerOf(99, more)])).toMatchObject({ since: 0, placed: { size: 30 } })
  })

  it('leaves labels out that were drawn of a model which gave the same texts', () => {
    const answers = ANSWERS.map((answer, at) => ({ ...answer, instanceId: `id${at}`, model: 'x/two' }))
    const labelsOf = (model: string, events = logOf(drawn.map((of) => ({ of })))) => {
      const found = labelledAnswers({ ...RUN, model, answers }, [study], ratedUnits([{ events }]))
      return [found.answers.filter(({ label }) => label !== null).length, found.ofOthers]
    }
    expect(labelsOf('x/one')).toEqual([12, 0])
    expect(labelsOf('x/two')).toEqual([0, 12])
    // What no plan asked for is rated of whoever gave it.
    expect(labelsOf('x/two', logOf(drawn.map((of) => ({ of, study: 'paper' }))))).toEqual([12, 0])
  })
})

describe('makeStudy', () => {
  it('leaves practice out of what is drawn, and keeps it when the study is extended', () => {
    const practice = study.practice?.map(({ answer }) => numberOf(answer)) ?? []
    expect(practice).toHaveLength(3)
    expect(practice.filter((at) => drawn.includes(at))).toEqual([])
    const more = makeStudy(
      [OFFERED],
      { ...WISH, size: { labels: 27 }, practice: 9 },
      { before: study, rated },
    )
    expect(more.practice).toEqual(study.practice)
    // They are the last to be drawn.
    const then = new Set(more.units.map(({ answer }) => numberOf(answer)))
    expect(practice.filter((at) => then.has(at))).toEqual([])
  })

  it('draws by Neyman’s rule only where labels tell what the jury leaves open', () => {
    const units = (allocation: 'neyman' | 'proportional') =>
      makeStudy([OFFERED], { ...PLAIN, allocation }, NONE).units
    expect(units('neyman')).toEqual(units('proportional'))
  })

  it('asks for as many as bring the wished width, in points or as a share of the scale', () => {
    const labels = (
      size: { share: number } | { halfWidth: number },
      range: number,
      answers = ANSWERS,
    ): number => makeStudy([{ ...OFFERED, answers, range }], { ...PLAIN, size }, NONE).units.length
    // n0 = (1.96 / 0.2)² 0.3 = 28.8; 28.8 / (1 + 28.8 / 30) = 14.7.
    expect(labels({ halfWidth: 0.2 }, 4)).toBe(15)
    expect(labels({ share: 0.05 }, 4)).toBe(15)
    expect(labels({ share: 0.05 }, 1)).toBe(15)
    expect(labels({ halfWidth: 0.2 }, 1)).toBe(6)
    // Of 45 it would be 28.8 / (1 + 28.8 / 45) = 17.6: what can't be rated is no part of what is asked about.
    for (const more of [{ jury: null }, { unrated: 'empty' }] as const) {
      const others = Array.from({ length: 15 }, (_, at) => answerOf(100 + at, more))
      expect(labels({ halfWidth: 0.2 }, 4, [...ANSWERS, ...others])).toBe(15)
    }
  })
})

describe('studyStatus', () => {
  it('tells how far raters are and how they agree, and no answer’s score', () => {
    const score = (at: number): number => 1 + (at % 5)
    const log = (rater: string, off: (at: number) => number) => ({
      rater,
      events: logOf(
        drawn.slice(0, 10).map((of, index) => ({
          of,
          rater,
          order: index + 1,
          content: { scores: { a: score(of) + off(index) } },
        })),
        rater,
      ),
    })
    const status = studyStatus('main', study, [
      log('ann', () => 0),
      log('bob', (index) => (index === 0 ? 1 : 0)),
    ])
    expect(status).toMatchObject({ study: 'main', hasPlan: true })
    expect(status.raters.map(({ planned, rated: own, left }) => [planned, own, left])).toEqual([
      [12, 10, 2],
      [12, 10, 2],
    ])
    expect(status.benchmarks).toMatchObject([
      { benchmark: 'notes', planned: 12, rated: 10, shared: 10, pairs: 1 },
    ])
    expect(status.benchmarks[0]?.apart).toBeCloseTo(0.1, 12)
    expect(status.benchmarks[0]?.icc).toBeGreaterThan(0.9)
    for (const { answer, instance } of study.units)
      for (const digest of [answer, instance])
        expect(JSON.stringify(status)).not.toContain(digest.slice(0, 12))
    expect(studyStatus('paper', undefined, [])).toMatchObject({ hasPlan: false, raters: [], benchmarks: [] })
  })
})
