import { expect, test } from 'vitest'
import type { Study } from '../../../targets/ratings/study.ts'
import type { RatableAnswers } from '../../../tools/ratings/rated-runs.ts'
import { consensusQueue, studyDisagreements } from '../../../tools/ratings/study-disagreements.ts'
import { answerOf, handedIn, logOf, RUBRIC, unitsOf } from '../../targets/ratings/made-ratings.ts'

test('Of answers that are gone nobody is waited for, and none that no plan asked for is rated once more', () => {
  const units = unitsOf(3)
  const study = { id: 'main', units, raters: [{ name: 'ann', units: [1, 3] }] } as unknown as Study
  const jury = { template: '', criteria: new Map([['accuracy', []]]), scale: { least: 1, most: 5 } }
  // The run holds answers 1 and 9, not 3.
  const answers = [1, 9].map((at) => ({ ...answerOf(at, { jury: 5 }), instanceId: `id${at}` }))
  const runs = [
    { run: { jury }, benchmark: 'notes', model: 'x/one', rubric: RUBRIC, answers },
  ] as unknown as readonly RatableAnswers[]
  const events = logOf([
    { of: 1, content: { scores: { accuracy: 1 } } },
    { of: 9, content: { scores: { accuracy: 1 } } },
    { of: 3, content: { scores: { accuracy: 1 } } },
    handedIn(),
  ])
  const none = { study: 'main', rater: '', events: [], isTorn: false }
  const listed = studyDisagreements(study, [{ ...none, rater: 'ann', events }], runs, none)
  expect(listed.waiting).toEqual([])
  expect(new Set(listed.found.map(listed.numberOf))).toEqual(new Set([0, 1]))
  expect(consensusQueue(listed).map(({ number }) => number)).toEqual([1])
  expect(listed.orphans.map(({ subject }) => subject.answer)).toEqual([answerOf(3).answer])
})
