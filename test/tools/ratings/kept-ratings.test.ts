import { expect, test } from 'vitest'
import { Float } from '../../../benchmarks/python/numbers/number.ts'
import { ratedUnits } from '../../../targets/ratings/rated-units.ts'
import { keepStudy, keptStudy } from '../../../targets/runs/kept-study.ts'
import { deskAgreement } from '../../../tools/cli/agreement/action.ts'
import type { Invocation } from '../../../tools/cli/verb.ts'
import type { Session } from '../../../tools/session/session.ts'
import type { JudgedTarget } from '../../../tools/jury/judged-runs.ts'
import { orphansText } from '../../../tools/cli/common/rated-answers.ts'
import { linkRatings, ratedBy, ratingsOfRuns, ratingsOfTables } from '../../../tools/ratings/kept-ratings.ts'
import type { RatableAnswers } from '../../../tools/ratings/rated-runs.ts'
import { realStore } from '../../rig/made-up-run.ts'
import { answerOf, logOf, RUBRIC } from '../../targets/ratings/made-ratings.ts'

/** Answers of a model, by their numbers; no judge scored them. */
const runOf = (model: string, numbers: readonly number[], benchmark = 'notes'): RatableAnswers => {
  const states = numbers.map((at) => ({ instance: { id: `id${at}` }, trainTrialIndex: 0 }))
  const run = {
    target: { spec: { benchmark: { metrics: [] } } },
    jury: { criteria: new Map() },
    reading: { jury: {}, judges: [] },
    sources: new Map(),
    view: { states: () => states, perInstanceStats: () => [] },
  } as unknown as JudgedTarget
  const answers = numbers.map((at) => ({ ...answerOf(at, { model, benchmark }), instanceId: `id${at}` }))
  return { run, benchmark, model, rubric: RUBRIC, answers }
}

test('A rating is told of each model that gave the answer, as one opinion, and of no other benchmark', () => {
  const logs = [
    { study: 'main', rater: 'ann', events: logOf([{ of: 1 }, { of: 2 }, { of: 9 }]), isTorn: false },
  ]
  const runs = [
    runOf('a', [1]),
    runOf('b', [1, 2, 2]),
    runOf('b', [1], 'notes:of=night'),
    runOf('c', [1], 'notes:of=night'),
  ]
  const linked = linkRatings({ studies: [], logs, rated: ratedUnits(logs) }, runs)
  expect(linked.orphans).toHaveLength(1)
  expect(
    ratingsOfRuns(linked).map(({ rating, answer: { run } }) => [
      rating.instance,
      rating.model,
      rating.isShared,
      runs.findIndex((each) => each.run === run),
    ]),
  ).toEqual([
    ['id1', 'a', false, 0],
    ['id1', 'b', true, 1],
    ['id2', 'b', false, 1],
  ])
})

test('Points of an instance’s own rubric that no rater of an answer could judge are in the jury’s score of it neither', () => {
  const items = [5, 3, -4].map(
    (points) => new Map<string, unknown>(Object.entries({ criterion: 'c', points, tags: [] })),
  )
  const met = [true, false, true].map((each) => new Map([['criteria_met', each]]))
  const rubric = new Map<string, unknown>(Object.entries({ score: new Float(1 / 8), criteria: met }))
  const state = {
    instance: { id: 'id1', extraData: new Map([['rubrics', items]]) },
    annotations: new Map([['g', new Map([['one', new Map([['rubric', rubric]])]])]]),
    trainTrialIndex: 0,
  }
  const made = runOf('a', [1])
  const reading = {
    jury: {
      annotator: 'g',
      criteria: new Map(),
      scale: { least: 0, most: 1 },
      grading: { style: 'health-bench' },
    },
    judges: ['one'],
    dialect: { scores: 'float' },
  }
  const view = { ...made.run.view, states: () => [state], state: () => state }
  const run = { ...made, run: { ...made.run, jury: reading.jury, reading, view } as unknown as JudgedTarget }
  const logs = [[1], [1, 2]].map((judged, at) => {
    const rater = ['ann', 'bob'][at] ?? ''
    const scores = Object.fromEntries(judged.map((item) => [`item-${item}`, 1]))
    const events = logOf([{ of: 1, content: { scores, composite: 1 } }], rater).map((each) => ({
      ...each,
      rater,
    }))
    return { study: 'main', rater, events, isTorn: false }
  })
  const found = ratingsOfRuns(linkRatings({ studies: [], logs, rated: ratedUnits(logs) }, [run]))
  expect(found.map(({ answer }) => answer.jury)).toEqual([5 / 8, 5 / 8])
})

test('Ratings without scores of a jury beside them are counted, so that they can be told, and in no agreement by these', () => {
  const jury = { accuracy: 2 }
  const given = [{ of: 1 }, { of: 2, content: { scores: { accuracy: 3 }, jury } }]
  const unjudged = { of: 3, kind: 'cannot-judge', content: { scores: {}, reason: 'other' } } as const
  const logs = [{ study: 'main', rater: 'ann', events: logOf([...given, unjudged]), isTorn: false }]
  expect([ratedBy({ logs }), ratingsOfTables({ logs }).map((rating) => rating.jury)]).toEqual([2, [[2]]])
})

test('Ratings that count nowhere are told by why: their answer is gone, or the rubric is another one now; and how many fear for safety', () => {
  const logs = [
    {
      study: 'main',
      rater: 'ann',
      events: logOf([{ of: 1 }, { of: 2, content: { safety: true } }, { of: 9 }]),
      isTorn: false,
    },
  ]
  const { answers, ...run } = runOf('a', [1, 2])
  const runs = [{ ...run, answers: answers.map((each) => ({ ...each, rubric: 'other' })) }]
  const { orphans } = linkRatings({ studies: [], logs, rated: ratedUnits(logs) }, runs)
  expect(orphansText(orphans, runs)).toBe(
    '3 ratings are kept, and left out here: 1 of answers that these runs do not hold, 2 by another rubric (main: ann). 1 raises a safety concern.',
  )
  expect(orphansText(orphans, [])).toMatch(/: 3 of answers that these runs do not hold \(main/)
})

test('What agreement kept for the board goes once its ratings are withdrawn, that of other runs stays', async () => {
  const store = await realStore()
  for (const record of ['r', 'other']) await keepStudy('clinicians', [record], { raters: 1 }, store)
  const { benchmark, instance, answer, rubric } = answerOf(1)
  const subject = { benchmark, instance, answer, rubric }
  const at = '2026-01-01T00:00:00Z'
  const events = logOf([{ study: 'main', rater: 'ann', kind: 'rated', at, subject, content: null }])
  const runs = ['r', 'other'].map((digest, at) => {
    const own = runOf('a', [1 + at])
    return { ...own, run: { ...own.run, digest } as unknown as JudgedTarget }
  })
  const kept = {
    studies: [],
    logs: [{ study: 'main', rater: 'ann', events, isTorn: false }],
    rated: new Map(),
  }
  const invocation = { flags: {}, warn: () => undefined } as unknown as Invocation
  const session = { env: { records: store } } as unknown as Session
  await expect(deskAgreement(kept, runs, { suites: ['main'], invocation, session })).rejects.toThrow('nobody')
  expect(['r', 'other'].map((record) => keptStudy('clinicians', [record], store))).toEqual([
    undefined,
    { raters: 1 },
  ])
})
