import { describe, expect, it } from 'vitest'
import type { Rating } from '../../../targets/jury/study/ratings.ts'
import type { JudgedTarget } from '../../../tools/jury/judged-runs.ts'
import { findRated, type StoredAnswer } from '../../../tools/jury/rated-runs.ts'

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
