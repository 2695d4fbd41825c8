import { expect, test } from 'vitest'
import type { Rating } from '../../../targets/jury/study/ratings.ts'
import { measureAgreement } from '../../../targets/jury/study/agreement.ts'
import { agreementText, opposedText } from '../../../tools/jury/format-agreement.ts'

const ratings = (benchmark: string, jury: (at: number) => number): readonly Rating[] =>
  [0, 1, 2, 3, 4, 5].map((at) => ({
    rater: 'ann',
    benchmark,
    instance: String(at),
    model: 'm',
    scores: [(at % 5) + 1],
    jury: [jury((at % 5) + 1)],
    metrics: new Map(),
  }))

test('A pooled agreement of benchmarks on which the jury goes with and against clinicians warns of it', () => {
  const along = ratings('along', (score) => score)
  const against = ratings('against', (score) => (score === 3 ? 4 : 6 - score))
  const found = (...all: readonly (readonly Rating[])[]) =>
    opposedText(measureAgreement(all.flat(), 'text', 40))
  expect(found(along, against)).toEqual([
    'warning: signs differ: jury goes with the clinicians in along and against them in against; what is pooled speaks of neither.',
  ])
  expect(
    found(
      along,
      ratings('other', (score) => score),
    ),
  ).toEqual([])
  expect(found(against)).toEqual([])
})

test('An agreement over a single answer says so in the singular', () => {
  const [one] = measureAgreement(ratings('alone', (score) => score).slice(0, 1), 'text', 40).map(
    agreementText,
  )
  expect(one).toMatch(/^ {2}jury +ICC\(3,k\) undetermined \(.*\) over 1 answer$/m)
})
