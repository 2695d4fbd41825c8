import { describe, expect, it } from 'vitest'
import { suppressSmall } from '../../../targets/access/suppress-small.ts'
import type { HelmStat } from '../../../tools/helm/forms/stat.ts'

const stat = (name: string, sum: number, split?: string, subSplit?: string): HelmStat => ({
  name: { name, ...(split === undefined ? {} : { split }), ...(subSplit === undefined ? {} : { subSplit }) },
  count: 1,
  sum,
  sumSquared: sum * sum,
  float: true,
})

const names = (stats: readonly HelmStat[], rows: number): readonly string[] =>
  suppressSmall(stats, rows).stats.map(({ name }) =>
    [name.name, name.split, name.subSplit].filter(Boolean).join('/'),
  )

describe('suppressing small cells', () => {
  it('keeps a split of eleven and drops one of ten', () => {
    const stats = [
      stat('num_instances', 11, 'test'),
      stat('score', 0.5, 'test'),
      stat('num_instances', 10, 'valid'),
      stat('score', 0.5, 'valid'),
      stat('num_train_trials', 1),
    ]
    expect(names(stats, 21)).toEqual(['num_instances/test', 'score/test', 'num_train_trials'])
    expect(suppressSmall(stats, 21).suppressed).toBe(2)
  })

  it('drops all sub-splits of a split with a small one, for the others would give it away', () => {
    const stats = [
      stat('num_instances', 30, 'test'),
      stat('score', 0.5, 'test'),
      stat('num_instances', 25, 'test', 'a'),
      stat('score', 0.5, 'test', 'a'),
      stat('num_instances', 5, 'test', 'b'),
      stat('score', 0.5, 'test', 'b'),
    ]
    expect(names(stats, 30)).toEqual(['num_instances/test', 'score/test'])
  })

  it('keeps sub-splits of eleven', () => {
    const stats = [
      stat('num_instances', 11, 'test', 'a'),
      stat('score', 0.5, 'test', 'a'),
      stat('num_instances', 12, 'test', 'b'),
    ]
    expect(names(stats, 23)).toHaveLength(3)
  })

  it('drops everything of a run of ten', () => {
    expect(names([stat('score', 0.5, 'test'), stat('num_train_trials', 1)], 10)).toEqual([])
  })

  it('takes a sub-split that nobody counted for small', () => {
    expect(names([stat('score', 0.5, 'test'), stat('score', 0.5, 'test', 'a')], 50)).toEqual(['score/test'])
    const uncounted = { ...stat('num_instances', 0, 'test', 'b'), count: 0 }
    expect(names([stat('num_instances', 25, 'test', 'a'), uncounted], 50)).toEqual([])
  })
})
