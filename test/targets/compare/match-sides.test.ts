import { describe, expect, test } from 'vitest'
import { matchRuns, matchSides, type Sided } from '../../../targets/compare/match-sides.ts'
import { problemOf } from '../../rig/problem-of.ts'

const run = (suite: string, name: string, deployment = 'here/a'): Sided => ({
  suite,
  name: `${name}:model=${deployment.replace('/', '_')}`,
  model: deployment.replace('here', 'maker'),
  deployment,
})

describe('runs of two sides', () => {
  test('meet by what they ask; those that the other side lacks are named', () => {
    const [a, b] = [
      [run('s', 'one'), run('s', 'two'), run('s', 'three')],
      [run('s', 'two', 'here/b'), run('s', 'one', 'here/b'), run('s', 'four', 'here/b')],
    ]
    const { pairs, alone } = matchSides([[...a, ...b]], 'maker/a', 'here/b')
    expect(pairs).toEqual([
      { a: a[0], b: b[1] },
      { a: a[1], b: b[0] },
    ])
    expect(alone).toEqual([a[2], b[2]])
  })

  test('are refused where one side asks the same twice', async () => {
    const twice = [run('s', 'one'), { ...run('s', 'one'), deployment: 'there/a' }]
    const matched = (): unknown => matchSides([[...twice, run('s', 'one', 'here/b')]], 'maker/a', 'here/b')
    expect(await problemOf(matched)).toMatchObject({ code: 'compare/ambiguous-model' })
  })

  test('of two suites meet by name where no suite is shared', () => {
    const [before, after] = [[run('old', 'one')], [run('new', 'one')]]
    expect(matchRuns([before, after], ['old', 'new']).pairs).toEqual([{ a: before[0], b: after[0] }])
  })

  test('meet without their model where each side is one model’s, and nowhere where one is not', async () => {
    const [a, b] = [run('old', 'one'), run('new', 'one', 'here/b')]
    const more = [run('old', 'two'), run('new', 'two', 'here/c')]
    expect(matchRuns([[a, run('old', 'two')], [b]], ['old', 'new']).pairs).toEqual([{ a, b }])
    const matched = (): unknown =>
      matchRuns(
        [
          [a, ...more.slice(0, 1)],
          [b, ...more.slice(1)],
        ],
        ['old', 'new'],
      )
    expect(await problemOf(matched)).toMatchObject({ code: 'compare/nothing-shared' })
    for (const sides of [
      [[a], more.slice(1).concat(run('new', 'three', 'here/c'))],
      [more.slice(0, 1).concat(run('old', 'three')), [b]],
    ] as const)
      expect(await problemOf(() => matchRuns(sides, ['old', 'new']))).toMatchObject({
        code: 'compare/nothing-shared',
      })
  })
})

test('a name that is a run’s is that run’s alone, whatever model bears it, too', () => {
  const named = run('s', 'one')
  const model: Sided = { ...run('s', 'two'), model: named.name }
  const { pairs } = matchSides([[named, model, run('s', 'one', 'here/b')]], named.name, 'here/b')
  expect(pairs.map(({ a }) => a)).toEqual([named])
})
