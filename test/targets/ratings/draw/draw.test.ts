import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { unequalShares } from '../../../../targets/ratings/draw/drawn-shares.ts'
import { makeStudy, type StudyWish } from '../../../../targets/ratings/make-study.ts'
import { ratedUnits } from '../../../../targets/ratings/rated-units.ts'
import { STUDY, type Study } from '../../../../targets/ratings/study.ts'
import { unitKey, type FrameAnswer } from '../../../../targets/ratings/unit.ts'
import { logOf } from '../made-ratings.ts'
import { problemOf } from '../../../rig/problem-of.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const RUBRIC = hash('rubric')

const answersOf = (model: string, count: number, benchmark = 'notes'): readonly FrameAnswer[] =>
  Array.from({ length: count }, (_, at) => ({
    benchmark,
    model,
    rubric: RUBRIC,
    instance: hash(`${benchmark} ${at}`),
    answer: hash(`${benchmark} ${model} ${at}`),
    jury: 1 + ((at * 7 + model.length) % 13) / 3,
  }))

const runOf = (model: string, count: number, benchmark = 'notes') => ({
  benchmark,
  model,
  access: 'public' as const,
  rubric: RUBRIC,
  range: 4,
  answers: answersOf(model, count, benchmark),
})

const WISH: StudyWish = {
  id: 'main',
  seed: '1',
  suites: ['main'],
  raters: ['ann', 'bob', 'cyd'],
  overlap: 0.3,
  size: { labels: 30 },
  allocation: 'proportional',
  practice: 0,
}
const NONE = { rated: ratedUnits([]) }
const RUNS = [runOf('x/one', 90), runOf('x/three', 90)]

const unitsBy = (study: Study): ReadonlyMap<string, readonly number[]> =>
  new Map(study.raters.map(({ name, units }) => [name, units]))

describe('makeStudy', () => {
  it('draws the same whatever the order of runs and answers, and in the shape of its file', () => {
    const study = makeStudy(RUNS, WISH, NONE)
    const other = makeStudy(
      RUNS.map((run) => ({ ...run, answers: run.answers.toReversed() })),
      WISH,
      NONE,
    )
    expect(other).toEqual(study)
    expect(STUDY.parse(JSON.parse(JSON.stringify(study)))).toEqual(study)
    expect(makeStudy(RUNS, { ...WISH, seed: '2' }, NONE).units).not.toEqual(study.units)
  })

  it('takes answers to practise on from those that nobody is asked to rate', () => {
    const { practice = [], units, suites } = makeStudy(RUNS, { ...WISH, practice: 12 }, NONE)
    const asked = new Set(units.map(unitKey))
    expect(practice).toHaveLength(12)
    expect(practice.filter((unit) => asked.has(unitKey(unit)))).toEqual([])
    expect(suites).toEqual(['main'])
  })

  it('draws more where the jury leaves more open, by the labels that there are', () => {
    const [run] = RUNS
    if (run === undefined) throw new Error('a run')
    const first = makeStudy([run], { ...WISH, raters: ['ann'], size: { labels: 24 } }, NONE)
    const juryOf = new Map(run.answers.map((answer) => [answer.answer, answer.jury]))
    // In the highest third clinicians are two points off to one side or the other, elsewhere they say what the jury says.
    const highest = first.units.filter(({ drawn }) => drawn[0]?.[1] === 2)
    const log = logOf(
      first.units.map(({ benchmark, instance, answer, rubric }) => {
        const subject = { benchmark, instance, answer, rubric }
        const at = highest.findIndex(({ answer }) => answer === subject.answer)
        const off = at < 0 ? 0 : at % 2 === 0 ? 2 : -2
        const scores = { accuracy: (juryOf.get(subject.answer) ?? NaN) + off }
        return {
          study: 'main',
          rater: 'ann',
          kind: 'rated' as const,
          at: '2026-01-01T00:00:00Z',
          subject,
          content: { nonce: '0123456789abcdef', scores },
        }
      }),
    )
    const wish = { ...WISH, raters: ['ann'], size: { labels: 48 } }
    const drawnBy = (allocation: StudyWish['allocation']) => {
      const known = { before: first, rated: ratedUnits([{ events: log }]) }
      return makeStudy([run], { ...wish, allocation }, known).frames[0]?.strata.map(({ drawn }) => drawn)
    }
    expect(highest).toHaveLength(8)
    expect(drawnBy('proportional')).toEqual([16, 16, 16])
    const [low = NaN, middle = NaN, high = NaN] = drawnBy('neyman') ?? []
    expect([low, middle].every((drawn) => drawn >= 8 && drawn < 12)).toBe(true)
    expect(high).toBe(48 - low - middle)
  })

  it('draws as many as asked for, by thirds of the jury’s score, with what each stratum holds', () => {
    const { frames, units } = makeStudy(RUNS, WISH, NONE)
    for (const { strata } of frames) {
      expect(strata.reduce((sum, { drawn }) => sum + drawn, 0)).toBe(30)
      expect(strata.reduce((sum, { size }) => sum + size, 0)).toBe(90)
      for (const { size, drawn, answers } of strata) {
        expect(Math.abs(drawn - size / 3)).toBeLessThan(1)
        expect(answers.split(' ')).toHaveLength(size)
      }
    }
    expect(units).toHaveLength(60)
  })

  it('shows nobody an answer twice, balances raters over strata, and shares at least 30', () => {
    const study = makeStudy(RUNS, WISH, NONE)
    const shares = new Map<number, number>()
    for (const { units } of study.raters) {
      expect(new Set(units).size).toBe(units.length)
      for (const unit of units) shares.set(unit, (shares.get(unit) ?? 0) + 1)
    }
    expect(shares.size).toBe(60)
    expect([...shares.values()].filter((count) => count === 2)).toHaveLength(30)
    const sizes = study.raters.map(({ units }) => units.length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2)
    const byModel = study.raters.map(
      ({ units }) => units.filter((unit) => study.units[unit - 1]?.drawn[0]?.[0] === 0).length,
    )
    expect(Math.max(...byModel) - Math.min(...byModel)).toBeLessThanOrEqual(3)
  })

  it('gives a rater one answer of an instance at most where there are raters enough, else far apart', () => {
    const study = makeStudy(RUNS, { ...WISH, size: { labels: 90 }, overlap: 0.1 }, NONE)
    for (const { units } of study.raters) {
      const instances = units.map((unit) => study.units[unit - 1]?.instance)
      for (const [at, instance] of instances.entries())
        expect(instances.slice(at + 1, at + 10)).not.toContain(instance)
    }
  })

  it('rates equal answers of two models once, and counts them in both draws', () => {
    const twin = {
      ...RUNS[0],
      model: 'x/twin',
      answers: (RUNS[0]?.answers ?? []).map((each) => ({ ...each, model: 'x/twin' })),
    }
    const study = makeStudy([...RUNS.slice(0, 1), twin as (typeof RUNS)[number]], WISH, NONE)
    expect(study.units).toHaveLength(30)
    for (const { drawn } of study.units) expect(drawn.map(([frame]) => frame)).toEqual([0, 1])
  })

  it('extends without losing or moving anything: more labels, more raters, another model', () => {
    const before = makeStudy(RUNS, WISH, NONE)
    const after = makeStudy(
      [...RUNS, runOf('x/fourth', 90)],
      { ...WISH, raters: ['ann', 'bob', 'cyd', 'dan'], size: { labels: 40 } },
      { ...NONE, before },
    )
    expect(after.units.slice(0, before.units.length).map(unitKey)).toEqual(before.units.map(unitKey))
    expect(after.frames.map(({ strata }) => strata.reduce((sum, { drawn }) => sum + drawn, 0))).toEqual([
      40, 40, 40,
    ])
    const [old, now] = [unitsBy(before), unitsBy(after)]
    for (const [rater, units] of old) expect(now.get(rater)?.slice(0, units.length)).toEqual(units)
    expect(now.get('dan')?.length).toBeGreaterThan(0)
    // What one model adds leaves the draw of the others alone.
    const alone = makeStudy(RUNS, { ...WISH, size: { labels: 40 } }, NONE)
    const keys = new Set(after.units.map(unitKey))
    expect(alone.units.every((unit) => keys.has(unitKey(unit)))).toBe(true)
  })

  it('draws no fewer where an extension asks for fewer: what was taken stays', () => {
    const before = makeStudy(RUNS, WISH, NONE)
    const after = makeStudy(RUNS, { ...WISH, size: { labels: 6 } }, { ...NONE, before })
    expect(after.frames).toEqual(before.frames)
    expect(after.units.map(({ number }) => number)).toEqual(before.units.map(({ number }) => number))
  })

  it('draws among what came since by itself, and leaves the former strata what is left of them', () => {
    const [run] = RUNS
    if (run === undefined) throw new Error('a run')
    const before = makeStudy([run], WISH, NONE)
    const known = before.frames[0]?.strata ?? []
    const placesOf = ({ frames }: Study, wave?: number) =>
      (frames[0]?.strata ?? []).filter((stratum) => stratum.wave === wave)
    const extended = (answers: readonly FrameAnswer[], from: Study, labels = 30) =>
      makeStudy([{ ...run, answers }], { ...WISH, size: { labels } }, { ...NONE, before: from })
    const late = answersOf('x/one', 130).slice(90)
    const grown = extended([...late, ...run.answers], before)
    expect(placesOf(grown)).toEqual(known)
    const wave = placesOf(grown, 1)
    expect(wave.reduce((sum, { size }) => sum + size, 0)).toBe(40)
    expect(wave.every(({ drawn }) => drawn >= 2)).toBe(true)
    expect(wave.flatMap(({ answers }) => answers.split(' ')).toSorted()).toEqual(
      late.map(({ answer }) => answer.slice(0, 16)).toSorted(),
    )
    expect(STUDY.parse(JSON.parse(JSON.stringify(grown)))).toEqual(grown)
    // Nothing came since, whatever judges say by now.
    const rejudged = [...late, ...run.answers].map((each) => ({ ...each, jury: 6 - (each.jury ?? 0) }))
    expect(extended(rejudged, grown).frames[0]?.strata).toEqual(grown.frames[0]?.strata)
    // Of answers that went the others are drawn on in their order, and what comes then is a wave of its own.
    const more = [...run.answers.slice(45), ...late, ...answersOf('x/one', 140).slice(130)]
    const next = extended(more, grown, 50)
    const asked = new Set(next.units.filter(({ drawn }) => drawn.length > 0).map(unitKey))
    const left = new Set(more.map(unitKey))
    for (const unit of grown.units) expect(asked.has(unitKey(unit))).toBe(left.has(unitKey(unit)))
    expect(placesOf(next).reduce((sum, { size }) => sum + size, 0)).toBe(45)
    expect(placesOf(next, 1).map(({ answers }) => answers)).toEqual(wave.map(({ answers }) => answers))
    expect(placesOf(next, 2).reduce((sum, { size }) => sum + size, 0)).toBe(10)
    expect(next.frames[0]?.strata.reduce((sum, { drawn }) => sum + drawn, 0)).toBe(50)
    // By another rubric all answers are new ones.
    const other = { ...run, rubric: hash('another') }
    const answers = run.answers.map((each) => ({ ...each, rubric: other.rubric }))
    const anew = makeStudy([{ ...other, answers }], WISH, { ...NONE, before })
    expect(anew.frames[0]?.strata).toEqual(makeStudy([{ ...other, answers }], WISH, NONE).frames[0]?.strata)
  })

  it('keeps what was drawn of a run that is no longer asked for', () => {
    const before = makeStudy(RUNS, WISH, NONE)
    const after = makeStudy(RUNS.slice(1), WISH, { ...NONE, before })
    expect(after.units).toHaveLength(60)
    expect(after.frames.map(({ model }) => model)).toEqual(['x/three', 'x/one'])
    for (const { drawn } of after.units) expect(drawn).toHaveLength(1)
  })

  it('leaves answers out that failed, are empty or that no judge scored, and says how many', () => {
    const answers = answersOf('x/one', 40).map((each, at): FrameAnswer => {
      if (at === 0) return { ...each, jury: null, unrated: 'failed' }
      if (at === 1) return { ...each, unrated: 'empty' }
      return at < 5 ? { ...each, jury: null, unrated: 'unjudged' } : each
    })
    const [frame] = makeStudy([{ ...runOf('x/one', 0), answers }], WISH, NONE).frames
    expect(frame).toMatchObject({ answers: 40, left_out: { failed: 1, empty: 1, unjudged: 3 } })
    expect(frame?.strata.reduce((sum, { size }) => sum + size, 0)).toBe(35)
  })

  it('refuses raters whom no shared answer connects', async () => {
    const wish = { ...WISH, raters: ['ann', 'bob', 'cyd', 'dan'], size: { labels: 2 }, overlap: 1 }
    const found = await problemOf(() => makeStudy([runOf('x/one', 5)], wish, NONE))
    expect(found).toMatchObject({ code: 'ratings/raters-apart' })
  })

  it('draws from 30,000 answers', () => {
    const runs = Array.from({ length: 3 }, (_, at) => runOf(`x/m${at}`, 10_000))
    expect(makeStudy(runs, WISH, NONE).units).toHaveLength(90)
  })
})

describe('unequalShares', () => {
  it('tells of a draw that is not in proportion, of the benchmark that it was made in', () => {
    const even = makeStudy(RUNS, WISH, NONE)
    expect(unequalShares([even])).toBeUndefined()
    const [frame] = even.frames
    const [first, ...others] = frame?.strata ?? []
    if (frame === undefined || first === undefined) throw new RangeError('a draw has strata')
    const skewed = { frames: [{ ...frame, strata: [{ ...first, drawn: first.size }, ...others] }] }
    expect(unequalShares([even, skewed])).toEqual({
      least: Math.min(...even.frames.flatMap(({ strata }) => strata.map(({ size, drawn }) => drawn / size))),
      most: 1,
    })
    expect(unequalShares([even, skewed], 'another')).toBeUndefined()
  })
})
