import { describe, expect, it, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import { judgedScore } from '../../../targets/jury/stored-judgements.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import type { Rating } from '../../../targets/jury/study/ratings.ts'
import { refuseOffScale } from '../../../tools/cli/common/rated-answers.ts'
import type { JudgedTarget } from '../../../tools/jury/judged-runs.ts'
import {
  findRated,
  juryByCriterion,
  lackedCriteria,
  type StoredAnswer,
  withRun,
} from '../../../tools/jury/rated-runs.ts'

import { isOfAnswer } from '../../../tools/ratings/rated-runs.ts'

const run = (name: string, deployment: string): JudgedTarget =>
  ({
    target: {
      spec: {
        name,
        benchmark: { name: 'letters', runName: name.replace(/model=[^,]*,?/, '').replace(/:$/, '') },
        adapter: { model: 'fake/a', modelDeployment: deployment },
      },
    },
  }) as unknown as JudgedTarget

const answerOf = (each: JudgedTarget): StoredAnswer => ({
  run: each,
  instance: 'L1',
  jury: 3,
  metrics: new Map(),
})

const rating = (benchmark: string, model: string): Rating => ({
  rater: 'ann',
  benchmark,
  instance: 'L1',
  model,
  scores: [3],
  jury: [],
  metrics: new Map(),
})

test('A table’s rating is known by the jury’s scores beside it, also of some criteria alone, and not by others', () => {
  const juryBy = new Map([
    ['tone', 2],
    ['facts', 4],
  ])
  const isKnown = (criteria: readonly string[], jury: readonly number[]): boolean =>
    isOfAnswer({ criteria, jury }, { jury: 3, juryBy }, undefined)
  expect([isKnown(['tone', 'facts'], [2, 4]), isKnown(['facts'], [4]), isKnown(['tone'], [])]).toEqual([
    true,
    true,
    true,
  ])
  expect([isKnown(['facts'], [2]), isKnown(['tone', 'facts'], [4, 4])]).toEqual([false, false])
})

describe('A rating', () => {
  const whole = answerOf(run('letters:model=fake_a', 'fake/a'))
  const ward = answerOf(run('letters:ward=a,model=fake_a', 'fake/a'))
  const other = answerOf(run('letters:model=other_a', 'other/a'))
  const icu = answerOf(run('letters:ward=icu,model=fake_a', 'fake/a'))

  it.each([
    ['letters', 'fake/a', [whole, ward], whole],
    ['letters:ward=a', 'fake_a', [whole, ward], ward],
    ['letters', 'fake/a', [whole, other], whole],
    ['letters', 'other_a', [whole, other], other],
    ['letters', 'fake/a', [ward], ward],
    ['letters', 'fake/a', [ward, icu], 'several'],
    ['letters', 'fake/b', [whole], undefined],
    ['letters', 'fake_a', [other], other],
    ['letters:model', 'fake/a', [icu], undefined],
    ['letters:ward=icu', 'other/a', [whole, icu], undefined],
  ] as const)(
    'of %s and %s is of the run that is named so, else of the only one',
    (benchmark, model, held, wanted) => {
      const { found, ambiguous } = findRated(
        [rating(benchmark, model)],
        held.map((each) => [each]),
      )
      expect(ambiguous.length === 1 ? 'several' : found[0]?.answer).toBe(wanted)
    },
  )
})

test('A rating with its run has the run’s jury and metrics, and what only the table has', () => {
  const told = {
    ...rating('letters', 'fake/a'),
    jury: [1, 2],
    metrics: new Map([
      ['length', 7],
      ['rouge', 0.1],
    ]),
  }
  const answer = { ...answerOf(run('letters:model=fake_a', 'fake/a')), metrics: new Map([['rouge', 0.5]]) }
  expect(withRun(told, answer)).toEqual({
    ...told,
    jury: [3],
    metrics: new Map([
      ['length', 7],
      ['rouge', 0.5],
    ]),
  })
  expect(withRun(told, { ...answer, jury: null, source: 'p1' })).toMatchObject({ jury: [], source: 'p1' })
})

test('A table’s score off the scale that judges have is refused, wherever it is held against a run', () => {
  const check = (scores: readonly number[], grading?: object) => () => {
    const jury = { scale: { least: 1, most: 5 }, ...(grading && { grading }) }
    const answer = answerOf({ jury } as unknown as JudgedTarget)
    refuseOffScale([{ rating: { ...rating('letters', 'fake/a'), scores }, answer }])
  }
  expect(check([1, 3.5, 5])).not.toThrow()
  expect(check([4, 44])).toThrow('fake/a: 44 is no score from 1 to 5')
  expect(check([0.9])).toThrow('0.9 is no score')
  expect(check([-0.2], {})).not.toThrow()
})

test('A criterion of a rubric that no rating has is told, one that a single rater could not judge is not', () => {
  const judged = (name: string) =>
    ({
      ...run(name, 'fake/a'),
      jury: {
        criteria: new Map([
          ['ok', []],
          ['tone', []],
        ]),
      },
    }) as unknown as JudgedTarget
  const of = (name: string, ...criteria: readonly string[]) => ({ criteria, run: judged(name) })
  expect(lackedCriteria([of('a:model=m', 'ok'), of('a:model=n', 'ok', 'tone')])).toBeUndefined()
  expect(lackedCriteria([of('a:model=m', 'ok', 'tone'), of('b:model=m', 'ok')])).toMatch(
    /^no rating has tone of b:/,
  )
  expect(lackedCriteria([])).toBeUndefined()
})

describe('The jury’s score of a criterion', () => {
  it.each([
    ['int', 3],
    ['float', 3.3],
  ] as const)('reads %s scores as the whole score does, 4.0, 3.9 and "２" too', (scores, mean) => {
    const state = {
      instance: { id: 'L1' },
      annotations: loads(
        '{"jury": {"a": {"ok": {"score": 4.0}}, "b": {"ok": {"score": 3.9}}, "c": {"ok": {"score": "２"}}}}',
      ),
    } as unknown as RequestState
    const jury = { annotator: 'jury', criteria: new Map([['ok', []]]), scale: { least: 1, most: 5 } }
    const reading = { jury, judges: ['a', 'b', 'c'], dialect: { scores } }
    expect(judgedScore(state, reading)).toBeCloseTo(mean, 12)
    expect(juryByCriterion(state, { jury, reading } as unknown as JudgedTarget).get('ok')).toBeCloseTo(
      mean,
      12,
    )
  })
})
