import { expect, it } from 'vitest'
import { nearlySame } from '../../../targets/runs/nearly-same.ts'

const built = (suite: string, rows: number, access = 'private', name = 'letters:model=a', trials = 1) =>
  ({
    suite,
    record: { rows },
    target: { spec: { name, benchmark: { access }, adapter: { numTrainTrials: trials } } },
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
  // Of three suites those next in size; rows of several trials are of fewer instances.
  const three = nearlySame([built('b', 45), built('a', 40), built('c', 50)])
  expect(three.map((told) => told.slice(0, 7))).toEqual(['c and b', 'b and a'])
  const twice = (suite: string, rows: number) => built(suite, rows, 'private', 'letters:model=a', 2)
  expect(nearlySame([twice('a', 80), twice('b', 64)])[0]).toContain('of 40 and 32 instances')
  for (const fine of [
    [built('a', 40), built('b', 40)],
    [built('a', 40), built('b', 29)],
    [built('a', 40, 'public'), built('b', 39, 'public')],
    [built('a', 40), built('b', 39, 'private', 'notes:model=a')],
  ])
    expect(nearlySame(fine)).toEqual([])
})

it('A release of before is held against what is told now, where both are of enough instances to be told', () => {
  const before = (rows: number, name = 'letters:model=a') => ({ by: 'release v1', name, rows })
  expect(nearlySame([built('a', 42)], [before(40), before(40), before(42), before(31)])).toEqual([
    'a and release v1 tell scores of letters of 42 and 40 instances, and so, where these are among those, what the 2 between them scored. Publish one, or let them differ by 11 or more.',
  ])
  expect(nearlySame([built('a', 39)], [before(40)])[0]).toContain('release v1 and a tell scores')
  for (const [now, told] of [
    [built('a', 12), before(10)],
    [built('a', 42), before(40, 'notes:model=a')],
    [built('a', 42, 'public'), before(40)],
  ] as const)
    expect(nearlySame([now], [told])).toEqual([])
})
