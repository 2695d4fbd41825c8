import { expect, it } from 'vitest'
import { nearlySame } from '../../../targets/runs/nearly-same.ts'

const built = (suite: string, rows: number, access = 'private', name = 'letters:model=a') =>
  ({
    suite,
    record: { rows },
    target: { spec: { name, benchmark: { access }, adapter: { numTrainTrials: 1 } } },
  }) as Parameters<typeof nearlySame>[0][number]

it('Scores of a restricted benchmark in two suites are told of where they tell of few instances together', () => {
  const [line, ...others] = nearlySame([
    built('b', 39),
    built('a', 40),
    built('a', 40, 'private', 'letters:model=b'),
    built('b', 39, 'private', 'letters:model=b'),
  ])
  expect(line).toContain(
    'a and b tell scores of letters of 40 and 39 instances, and so what the 1 between them',
  )
  expect(others).toEqual([])
  for (const fine of [
    [built('a', 40), built('b', 40)],
    [built('a', 40), built('b', 29)],
    [built('a', 40, 'public'), built('b', 39, 'public')],
    [built('a', 40), built('b', 39, 'private', 'notes:model=a')],
  ])
    expect(nearlySame(fine)).toEqual([])
})
