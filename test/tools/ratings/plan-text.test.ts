import { describe, expect, test } from 'vitest'
import type { RatingRubric } from '../../../targets/ratings/rubric/rating-rubric.ts'
import type { RaterReport } from '../../../targets/ratings/rater-report.ts'
import type { StudyStatus } from '../../../targets/ratings/status.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { frameKey, planJson, planText, type ShownPlan } from '../../../tools/ratings/format-plan.ts'
import { reportText, type RatingReport } from '../../../tools/ratings/format-report.ts'
import { statusText } from '../../../tools/cli/rate/status.ts'
import { exportedCsv, type ExportedRow } from '../../../tools/ratings/exported-rows.ts'

const DIGEST = '0'.repeat(64)

/** Of so many answers, the first ones of which two raters rate. */
const studyOf = (answers: number, shared: number): Study => ({
  version: 1,
  id: 'ward',
  seed: 's',
  suites: ['main'],
  overlap: 0.5,
  cuts: [],
  frames: [
    {
      benchmark: 'notes',
      model: 'm/a',
      access: 'public',
      rubric: DIGEST,
      answers: 20,
      left_out: { failed: 2, empty: 0, unjudged: 1 },
      strata: [
        { thirds: [0], size: 10, drawn: 3, answers: '' },
        { thirds: [1, 2], size: 10, drawn: 2, answers: '' },
      ],
    },
  ],
  units: Array.from({ length: answers }, (_, at) => ({
    benchmark: 'notes',
    instance: DIGEST,
    answer: DIGEST,
    rubric: DIGEST,
    number: at + 1,
    drawn: [[0, 0]],
  })),
  raters: [
    { name: 'ann', units: Array.from({ length: answers }, (_, at) => at + 1) },
    { name: 'bob', units: Array.from({ length: shared }, (_, at) => at + 1) },
  ],
})

const rubric: RatingRubric = {
  digest: DIGEST as RatingRubric['digest'],
  criteria: [
    { name: 'tone', title: 'Tone (1-5)', text: 'Is it kind?' },
    { name: 'facts', title: 'facts', text: '' },
  ],
  scale: { least: 1, most: 5 },
  ends: { least: 'poor', most: 'excellent' },
}

const shown = (study: Study, more: Partial<ShownPlan> = {}): ShownPlan => ({
  study,
  rubrics: new Map([['notes', rubric]]),
  events: [],
  ...more,
})

/** A rater’s ratings that took so many seconds each. */
const timed = (...seconds: readonly number[]) =>
  [
    {
      rater: 'ann',
      study: 'ward',
      events: seconds.map((own, at) => ({
        id: `e${at}`,
        kind: 'rated',
        study: 'ward',
        rater: 'ann',
        at: '2026-01-01T00:00:00Z',
        subject: { benchmark: 'notes', instance: `i${at}`, answer: 'a', rubric: 'r' },
        content: { nonce: '', scores: { tone: 3 }, active_ms: own * 1000 },
      })),
    },
  ] as unknown as ShownPlan['events']

describe('a plan as text', () => {
  test('says of few answers that their interval may be too narrow, and of equal ones that they are rated once', () => {
    const text = planText(shown(studyOf(4, 1)))
    expect(text).toContain('An answer that several models gave is rated once. An interval from fewer than 20')
    const whole = studyOf(5, 1)
    const frames = whole.frames.map((frame) => ({ ...frame, answers: 5 }))
    expect(planText(shown({ ...whole, frames }))).not.toMatch(/rated once|too narrow|\n\n\n/)
  })

  test('marks what came later, and says for how long no label speaks for it', () => {
    const study = studyOf(5, 1)
    const waves = (...own: readonly (number | undefined)[]): string =>
      planText(
        shown({
          ...study,
          frames: study.frames.map((frame) => ({
            ...frame,
            strata: frame.strata.map((stratum, at) => ({
              ...stratum,
              ...(own[at] === undefined ? {} : { wave: own[at] }),
            })),
          })),
        }),
      )
    expect(waves(undefined, 1)).toMatch(
      / 3\/10 \+ 2\/10 [^]*Behind a \+ are answers that came later: until two/,
    )
    // Of the first draw nothing is left.
    expect(waves(1, 2)).toMatch(/ 3\/10 \+ 2\/10 /)
    expect(waves(1, 1)).toMatch(/ 3\/10 2\/10 /)
    expect(waves()).not.toContain('Behind')
  })

  test('tells of each model how many are drawn by thirds, how sure its mean will be, and what is left out', () => {
    const text = planText(shown(studyOf(5, 1)))
    expect(text).toContain('study ward: 5 answers to rate, written to study.json')
    // 1.96 · √(0.3 / 5 · (1 − 5/20)): the usual variance of a scale of 4 points
    expect(text).toMatch(/notes +m\/a +20 +5 +3\/10 2\/10 +0\.42 +2 failed, 1 unjudged/)
    expect(text).toContain('notes, from 1 (poor) to 5 (excellent); as raters see it:')
    expect(text).toContain(
      '  Tone (1-5): Is it kind?\n  facts: (the rubric has no line for it, such as `- facts: …`)',
    )
    expect(planText(shown(studyOf(5, 1), { rubrics: new Map() }))).toMatch(/3\/10 2\/10 +– /)
  })

  test('tells how sure a mean will be by what was rated, as the number of answers was chosen', () => {
    const residuals = new Map([[frameKey({ benchmark: 'notes', model: 'm/a' }), 1.2]])
    // Four times the usual variance: twice the width.
    expect(planText(shown(studyOf(5, 1), { residuals }))).toMatch(/3\/10 2\/10 +0\.83 /)
  })

  test('reckons minutes at three an answer, and from the first ratings on at their median', () => {
    const minutes = (events: ShownPlan['events']) =>
      planJson(shown(studyOf(3, 1), { events })).raters.map((each) => each.minutes)
    expect(minutes([])).toEqual([9, 3])
    // 61 s: 3.05 and 1.02 minutes
    expect(minutes(timed(61, 20, 500))).toEqual([4, 2])
    expect(planText(shown(studyOf(3, 1), { events: timed(61) }))).toContain('Minutes are at 61 s an answer.')
  })

  test('says how sure the clinicians’ agreement will be, and that fewer than thirty shared answers are too few', () => {
    const told = (both: number): string => planText(shown(studyOf(40, both)))
    // 1.96 · √(8 · 0.55² · 1.45² / (2 · 29))
    expect(told(30)).toContain(
      '30 answers are rated by two: at an agreement of 0.45 its interval is about 0.58 wide.',
    )
    expect(told(30)).not.toContain('Fewer than')
    expect(told(29)).toContain("Fewer than 30 can't tell jury and clinicians apart")
    expect(told(1)).toContain('its interval is unknown')
  })

  test('tells of each benchmark how sure agreement on it will be: no answer of another one helps', () => {
    const study = studyOf(60, 60)
    const units = study.units.map((unit, at) => (at < 30 ? unit : { ...unit, benchmark: 'letters' }))
    expect(planText(shown({ ...study, units }))).toContain(
      '60 answers are rated by two: at an agreement of 0.45 its interval is about 0.58 wide on notes (30), about 0.58 wide on letters (30).',
    )
    const gone = units.map((unit, at) => (at < 30 ? { ...unit, drawn: [] } : unit))
    expect(planText(shown({ ...study, units: gone }))).toContain('30 answers are rated by two')
    const few = units.slice(0, 59)
    expect(planText(shown({ ...study, units: few }))).toContain(
      "wide on letters (29). Fewer than 30 of a benchmark can't tell jury and clinicians apart",
    )
  })

  test('counts no answer that is gone since, for nobody can rate it', () => {
    const study = studyOf(40, 40)
    const units = study.units.map((unit, at) => (at < 30 ? unit : { ...unit, drawn: [] }))
    const raters = [
      { rater: 'ann', answers: 30, minutes: 90 },
      { rater: 'bob', answers: 30, minutes: 90 },
    ]
    expect(planJson(shown({ ...study, units }))).toMatchObject({ answers: 30, raters })
    const frames = study.frames.map((frame) => ({
      ...frame,
      strata: frame.strata.map((stratum) => ({ ...stratum, drawn: 20 })),
    }))
    const text = planText(shown({ ...study, units, frames }))
    expect(text).toContain('30 answers to rate')
    expect(text).toContain('several models gave')
  })

  test('says what is new of an extended plan, and what there is to practise on', () => {
    const text = planText(
      shown({ ...studyOf(5, 1), practice: [] }, { before: studyOf(3, 1), file: 'ratings/ward/study.json' }),
    )
    expect(text).toContain('5 answers to rate, 2 of them new, written to ratings/ward/study.json')
    expect(text).not.toContain('practise')
    const subject = { benchmark: 'notes', instance: DIGEST, answer: DIGEST, rubric: DIGEST }
    expect(planText(shown({ ...studyOf(5, 1), practice: [subject, subject] }))).toContain(
      'Each rater begins with 2 to practise on, which count nowhere.',
    )
  })
})

test('A study’s status tells safety concerns, and who has handed in', () => {
  const rater = (name: string, safety: number, handedIn: boolean): StudyStatus['raters'][number] => ({
    rater: name,
    planned: 10,
    rated: 7,
    cannotJudge: 1,
    left: 2,
    outside: 0,
    changes: 3,
    withdrawn: 4,
    safety,
    seconds: 31.6,
    handedIn,
  })
  const benchmark = { benchmark: 'notes', planned: 9, rated: 8, shared: 5, icc: 0.5, pairs: 1, apart: 0.75 }
  const status = (concerns: readonly [number, number]): string =>
    statusText({
      study: 'ward',
      hasPlan: false,
      raters: [rater('up', concerns[0], true), rater('down', concerns[1], false)],
      benchmarks: [
        benchmark,
        { ...benchmark, benchmark: 'few', icc: null, pairs: 0, apart: null },
        { ...benchmark, pairs: 2 },
      ],
    })
  const text = status([2, 1])
  expect(text).toContain('study ward, imported, without a plan')
  expect(text).toContain('SAFETY: 3 concerns were raised')
  expect(status([1, 0])).toContain('SAFETY: 1 concern was raised')
  expect(status([0, 0])).not.toContain('SAFETY')
  expect(text).toMatch(/up +10 +7 +1 +2 +3 +4 +32 +handed in/)
  expect(text.split('handed in')).toHaveLength(2)
  expect(text).toMatch(/notes +9 +8 +5 +0\.500 \(1 pair\) +0\.75/)
  expect(text).toMatch(/notes +9 +8 +5 +0\.500 \(2 pairs\)/)
  expect(text).toMatch(/few +9 +8 +5 +– +–/)
})

test('A report marks a drift that is surely there, and dashes what too few ratings tell', () => {
  const drift = (low: number, high: number) => ({ slope: (low + high) / 2, low, high, ratings: 12 })
  const rater = (name: string, more: Partial<RaterReport>): RaterReport => ({
    rater: name,
    benchmark: 'notes',
    rated: 9,
    cannotJudge: 0.1,
    level: 3.25,
    spread: 0.5,
    aboveJury: -0.75,
    icc: 0.5,
    pairs: 2,
    apart: 0.755,
    seconds: 31.6,
    opened: 0.25,
    drift: null,
    practice: { rated: 3, aboveJury: 0.5 },
    ...more,
  })
  const none = { level: null, spread: null, aboveJury: null, icc: null, pairs: 0, apart: null }
  const split = { benchmark: 'notes', ratings: 8, answers: 6, clinicians: { value: null, interval: null } }
  const report: RatingReport = {
    study: 'ward',
    raters: [
      rater('up', { drift: drift(0.01, 0.03) }),
      rater('open', { drift: drift(-0.01, 0.03) }),
      rater('few', { ...none, seconds: null, opened: null, practice: { rated: 0, aboveJury: null } }),
    ],
    recognised: { up: 'some', few: null },
    namesItself: { answers: 2, of: 9 },
    splits: [
      {
        ...split,
        by: 'answer',
        part: 'names none',
        jury: { value: 0.5, interval: { low: 0.25, high: 0.75 } },
        bias: null,
      },
    ],
  }
  const text = reportText(report)
  expect(text).toMatch(
    /up +notes +9 +10\.0 % +3\.250 +0\.500 +−0\.750 +0\.500 \(2\) +0\.76 +32 +25\.0 % +0\.020 \(0\.010–0\.030\) ! +3, \+0\.500/,
  )
  expect(text).toMatch(/open .*0\.010 \(−0\.010 to 0\.030\) +3/)
  expect(text).toMatch(/few +notes +9 +10\.0 %(?: +–){8}/)
  expect(text).toContain('Authors recognised: up some, few not handed in.')
  expect(text).toContain('2 of 9 rated answers name a model or a maker.')
  expect(text).toMatch(/notes +answer names none +8 +6 +– +0\.500 \(0\.250, 0\.750\) +–/)
  expect(reportText({ ...report, splits: [] })).not.toContain('a maker')
})

test('Exported ratings have a column a criterion and one of the jury’s, empty where nothing was said', () => {
  const row = (more: Partial<ExportedRow>): ExportedRow => ({
    rater: 'ann',
    instance_id: 'i1',
    benchmark: 'notes',
    model: 'm/a',
    scores: {},
    composite: null,
    jury: {},
    study: 'ward',
    at: '2026-01-01T00:00:00Z',
    order: null,
    instance: DIGEST,
    answer: null,
    rubric: null,
    reason: null,
    safety: false,
    active_ms: null,
    opened: [],
    changes: 0,
    ...more,
  })
  const csv = exportedCsv([
    row({
      scores: { tone: 4 },
      jury: { tone: 3.5, facts: 2 },
      composite: 4,
      safety: true,
      order: 7,
      active_ms: 900,
      opened: ['reference'],
    }),
    row({ reason: 'unclear', changes: 2, comment: '=1+1' }),
  ])
  expect(csv.split('\r\n')).toEqual([
    'rater,instance_id,benchmark,model,tone,facts,jury_tone,jury_facts,study,at,order,answer,rubric,reason,safety,active_ms,opened,changes,composite,comment',
    'ann,i1,notes,m/a,4,,3.5,2,ward,2026-01-01T00:00:00Z,7,,,,yes,900,reference,0,4,',
    "ann,i1,notes,m/a,,,,,ward,2026-01-01T00:00:00Z,,,,unclear,,,,2,,'=1+1",
    '',
  ])
  // A column of no jury would be refused as one that lacks its scores.
  expect(exportedCsv([row({ scores: { tone: 4 } })])).toMatch(/model,tone,study/)
})
