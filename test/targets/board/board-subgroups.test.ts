import { describe, expect, it } from 'vitest'
import { boardSubgroups } from '../../../targets/board/board-subgroups.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { gaffke } from '../../../targets/statistics/intervals/gaffke.ts'
import { wilson, type Interval } from '../../../targets/statistics/intervals/wilson.ts'
import { boardRunOf, type RunSketch } from '../aggregate/board-runs.ts'

/** Clopper and Pearson's. */
const exact = (right: number, of: number, confidence: number): Interval => {
  const answers = Array.from({ length: of }, (_, at) => Number(at < right))
  return gaffke(answers, { low: 0, high: 1 }, (1 - confidence) / 2)
}

describe('scores by group', () => {
  const ATTRIBUTES = [
    { name: 'sex', column: 'sex' },
    { name: 'age', column: 'age', bands: [18, 65] },
  ]
  const ones = (count: number, of: number): number[] =>
    Array.from({ length: of }, (_, at) => (at < count ? 1 : 0))

  /** A model's answers by group of an attribute, each group's right ones of so many. */
  const grouped = (
    model: string,
    attribute: string,
    groups: Readonly<Record<string, readonly [right: number, of: number]>>,
    more: Partial<RunSketch> = {},
  ) => {
    const run = boardRunOf({
      model,
      values: Object.values(groups).flatMap(([right, of]) => ones(right, of)),
      ...more,
    })
    const names = Object.entries(groups).flatMap(([group, [, of]]) => Array.from({ length: of }, () => group))
    if (run.vector === undefined) throw new Error('values are at hand')
    const values = {
      run: run.name,
      benchmark: run.benchmark.name,
      deployment: run.model.deployment,
      vector: run.vector,
    }
    const known = names.flatMap((group, at) =>
      group === '' ? [] : [[`id${at}`, { [attribute]: group }] as const],
    )
    const attributes = ATTRIBUTES.filter(({ name }) => name === attribute)
    return { run, values: { values, attributes, groups: new Map(known) } }
  }

  const subgroups = (...sides: readonly ReturnType<typeof grouped>[]) =>
    boardSubgroups(
      makeBoard(
        's',
        sides.map(({ run }) => run),
      ),
      sides.map(({ values }) => values),
    )

  it('are means of the group’s instances with their own interval, what is not stated last', () => {
    const [found, ...others] = subgroups(grouped('a/one', 'sex', { '': [3, 4], m: [6, 30], f: [27, 30] }))
    expect(others).toEqual([])
    expect(found).toMatchObject({ attribute: 'sex', groups: ['f', 'm', ''], withheld: 0, gaps: 1 })
    const score = (right: number, of: number) => ({
      asked: of,
      n: of,
      value: right / of,
      interval: wilson(right, of, 0.95),
      method: 'Wilson',
    })
    expect(found?.rows[0]?.scores).toEqual([score(27, 30), score(6, 30), score(3, 4)])
    // Added up in squares, of one gap; four instances make none.
    const [high, low] = [exact(27, 30, 0.95), exact(6, 30, 0.95)]
    const gap = {
      high: 0,
      low: 1,
      difference: expect.closeTo(0.7, 12) as number,
      interval: {
        low: expect.closeTo(0.7 - Math.hypot(0.9 - high.low, low.high - 0.2), 12) as number,
        high: expect.closeTo(0.7 + Math.hypot(high.high - 0.9, 0.2 - low.low), 12) as number,
      },
    }
    expect(found?.rows[0]).toMatchObject({ widest: gap, surest: gap })
  })

  it('are each benchmark’s own', () => {
    const one = grouped('a/one', 'sex', { f: [12, 20], m: [8, 20] })
    const two = grouped('a/one', 'age', { 'under 18': [2, 10], '65 and over': [1, 10] }, { benchmark: 'b' })
    expect(subgroups(one, two)).toEqual([...subgroups(one), ...subgroups(two)])
  })

  it('have gaps whose intervals hold all at once, and none that is sure where one may be 0', () => {
    const [found] = subgroups(
      grouped('a/one', 'sex', { f: [12, 20], m: [8, 20] }),
      grouped('b/two', 'sex', { f: [10, 20], m: [10, 20] }),
    )
    expect(found?.gaps).toBe(2)
    const [high, low] = [exact(12, 20, 0.975), exact(8, 20, 0.975)]
    const row = found?.rows.find(({ deployment }) => deployment === 'a/one')
    expect(row?.widest?.interval?.low).toBeCloseTo(0.2 - Math.hypot(0.6 - high.low, low.high - 0.4), 12)
    expect(row?.surest).toBeNull()
  })

  it('are by the parts of a split, too, where some instances say of which they are', () => {
    const { run, values } = grouped('a/one', 'sub_split', { '': [1, 4], x: [6, 20], y: [9, 20] })
    const groups = new Map([...values.groups, ['id0', { ward: 'a' }] as const])
    const [found, ...others] = subgroups({ run, values: { ...values, groups } })
    expect(others).toEqual([])
    expect(found).toMatchObject({ attribute: 'sub_split', groups: ['x', 'y', ''] })
  })

  it('stand by the bands of a number as they rise', () => {
    const [found] = subgroups(
      grouped('a/one', 'age', { '65 and over': [1, 10], 'under 18': [2, 10], '18 to under 65': [3, 10] }),
    )
    expect(found?.groups).toEqual(['under 18', '18 to under 65', '65 and over'])
    expect(found?.rows[0]?.scores.map((score) => score?.value)).toEqual([0.2, 0.3, 0.1])
    expect(found?.rows[0]?.widest).toMatchObject({ high: 1, low: 2 })
  })

  it('of a benchmark that is not public hold no group of few, and say how many they lack', () => {
    const sketch = { access: 'private' } as const
    const few = { f: [5, 9], m: [5, 11], x: [10, 40], y: [10, 40] } as const
    const [found] = subgroups(grouped('a/one', 'sex', few, sketch))
    expect(found).toMatchObject({ groups: ['x', 'y'], withheld: 2 })
    expect(subgroups(grouped('a/one', 'sex', few))[0]).toMatchObject({
      groups: ['f', 'm', 'x', 'y'],
      withheld: 0,
    })
    expect(subgroups(grouped('a/one', 'sex', { f: [5, 9], m: [5, 30] }, sketch))).toEqual([])
    // All of one group is what the benchmark's own score says.
    expect(subgroups(grouped('a/one', 'sex', { f: [5, 30] }))).toEqual([])
  })

  it('of a benchmark that is not public are no means of few answers, nor let them be reckoned from others', () => {
    const sizes = { w: [0, 12], x: [0, 12], y: [0, 20], z: [0, 30] } as const
    /** Of the first group so many are measured. */
    const measured = (count: number) =>
      Array.from({ length: 74 }, (_, at) => (at < count || at >= 12 ? at % 2 : NaN))
    const told = (access: 'private' | 'public', count: number) => {
      const [found] = subgroups(
        grouped('a/one', 'sex', sizes, { access, values: measured(12) }),
        grouped('b/two', 'sex', sizes, { access, values: measured(count) }),
      )
      expect(found).toMatchObject({ groups: ['w', 'x', 'y', 'z'], withheld: 0 })
      const gapsOf = found?.rows.map(({ widest }) => widest?.high)
      expect(gapsOf).not.toContain(undefined)
      return found?.rows.map(({ scores }) => scores.map((score) => score?.n ?? null))
    }
    expect(told('private', 10)).toEqual([
      [12, 12, 20, 30],
      [10, 12, 20, 30],
    ])
    // The three would follow from the whole and the other groups.
    expect(told('private', 3)).toEqual([
      [12, 12, 20, 30],
      [null, null, 20, 30],
    ])
    expect(told('public', 3)?.[1]).toEqual([3, 12, 20, 30])
    // What no model tells is no group of the table.
    const few = grouped('a/one', 'sex', sizes, { access: 'private', values: measured(3) })
    expect(subgroups(few)).toMatchObject([{ groups: ['y', 'z'], withheld: 2 }])
  })

  it('of a benchmark that is not public are no means of one patient’s many answers', () => {
    const sides = (access: 'private' | 'public') => {
      const { run, values } = grouped('a/one', 'sex', { f: [5, 30], m: [5, 30], x: [5, 30] }, { access })
      const clusters = values.values.vector.ids.map((id, at) => (at < 30 ? 'one' : id))
      return {
        run,
        values: { ...values, values: { ...values.values, vector: { ...values.values.vector, clusters } } },
      }
    }
    expect(subgroups(sides('private'))).toMatchObject([{ groups: ['x'], withheld: 2 }])
    expect(subgroups(sides('public'))).toMatchObject([{ groups: ['f', 'm', 'x'], withheld: 0 }])
  })

  it('of a benchmark that is not public show one group alone, where the others are withheld', () => {
    const [found] = subgroups(
      grouped('a/one', 'sex', { f: [5, 9], m: [5, 11], x: [10, 40] }, { access: 'private' }),
    )
    expect(found).toMatchObject({ groups: ['x'], withheld: 2 })
  })

  it('of a model with two runs let no group be reckoned from both', () => {
    const sketch = (name: string) => ({ access: 'private' as const, name: `bench:part=${name},model=a_one` })
    const small = grouped('a/one', 'sex', { f: [2, 5] }, sketch('x'))
    const large = grouped('a/one', 'sex', { m: [5, 20], x: [5, 30], y: [5, 40] }, sketch('y'))
    // Of its five women the whole less the others would tell, though each run alone tells nothing.
    expect(subgroups(small, large)).toMatchObject([{ groups: ['y'], withheld: 3 }])
    expect(subgroups(large)).toMatchObject([{ groups: ['m', 'x', 'y'], withheld: 0 }])
  })

  it('name the groups of a gap by their places among all, small ones counted, and the surest beside the widest', () => {
    const [found] = subgroups(grouped('a/one', 'sex', { a: [0, 4], f: [10, 10], m: [5, 100], y: [95, 100] }))
    expect(found?.groups).toEqual(['a', 'f', 'm', 'y'])
    expect(found?.rows[0]?.widest).toMatchObject({
      high: 1,
      low: 2,
      difference: expect.closeTo(0.95, 12) as number,
    })
    expect(found?.rows[0]?.surest).toMatchObject({
      high: 3,
      low: 2,
      difference: expect.closeTo(0.9, 12) as number,
    })
  })

  it('tell how many were asked, and of how many of them a value could be read', () => {
    const values = Array.from({ length: 30 }, (_, at) => (at < 3 ? NaN : at % 2))
    const [found] = subgroups(grouped('a/one', 'sex', { f: [0, 12], m: [0, 18] }, { values }))
    expect(found?.rows[0]?.scores.map((score) => [score?.asked, score?.n])).toEqual([
      [12, 9],
      [18, 18],
    ])
  })
})
