import { describe, expect, it } from 'vitest'
import { boardSubgroups, withholdSmall } from '../../../targets/board/board-subgroups.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { wilson } from '../../../targets/statistics/intervals/wilson.ts'
import { boardRunOf, type RunSketch } from '../aggregate/board-runs.ts'

/** Groups of so many instances, numbered on. */
const groupsOf = (sizes: Readonly<Record<string, number>>): Map<string, Set<string>[]> => {
  let next = 0
  return new Map(
    Object.entries(sizes).map(([name, size]) => [
      name,
      [new Set(Array.from({ length: size }, () => `i${next++}`))],
    ]),
  )
}
const kept = (...attributes: readonly Map<string, Set<string>[]>[]): string[][] =>
  withholdSmall(attributes).map((groups) => [...groups].sort())

describe('groups of a benchmark that is not public', () => {
  it('are shown from ten instances on', () => {
    expect(kept(groupsOf({ female: 10, male: 30 }))).toEqual([['female', 'male']])
    expect(kept(groupsOf({ female: 9, male: 30, other: 30 }))).toEqual([['other']])
  })

  it('under ten are withheld with a second one, the smallest, as one would follow from the whole', () => {
    expect(kept(groupsOf({ a: 9, b: 11, c: 40, d: 50 }))).toEqual([['c', 'd']])
    expect(kept(groupsOf({ a: 9, b: 40 }))).toEqual([[]])
  })

  it('that are withheld hold ten instances together', () => {
    expect(kept(groupsOf({ a: 2, b: 3, c: 20, d: 30 }))).toEqual([['d']])
    expect(kept(groupsOf({ a: 6, b: 6, c: 20, d: 30 }))).toEqual([['c', 'd']])
  })

  it('count as their smallest run has them', () => {
    const ids = (size: number): Set<string> => new Set(Array.from({ length: size }, (_, at) => `i${at}`))
    const groups = new Map([
      ['a', [ids(40), ids(4)]],
      ['b', [ids(40), ids(30)]],
      ['c', [ids(50), ids(50)]],
      ['d', [ids(60), ids(60)]],
    ])
    expect(kept(groups)).toEqual([['c', 'd']])
  })

  it('of two attributes do not tell what is left of each other', () => {
    const all = Array.from({ length: 60 }, (_, at) => `i${at}`)
    const sex = new Map([
      ['female', [new Set(all.slice(0, 30))]],
      ['male', [new Set(all.slice(30))]],
    ])
    // All women but three: beside "female" it would tell of the three.
    const clinic = new Map([
      ['mothers', [new Set(all.slice(0, 27))]],
      ['heart', [new Set(all.slice(27, 45))]],
      ['lung', [new Set(all.slice(45))]],
    ])
    const [bySex = [], byClinic = []] = kept(sex, clinic)
    expect(bySex).toEqual(['female', 'male'])
    // One that is withheld would follow from the whole: the smallest goes with it.
    expect(byClinic).toEqual(['heart'])
    // One run in which it does is enough.
    const twice = (groups: Map<string, Set<string>[]>) =>
      new Map([...groups].map(([name, [own = new Set<string>()]]) => [name, [own, own]]))
    const [, other = []] = kept(
      twice(sex),
      new Map([
        ['mothers', [new Set(all.slice(0, 27)), new Set(all.slice(0, 15))]],
        ['heart', [new Set(all.slice(27, 45)), new Set(all.slice(15, 45))]],
        ['lung', [new Set(all.slice(45)), new Set(all.slice(45))]],
      ]),
    )
    expect(other).toEqual(['heart'])
    // Ten more are no few.
    const ten = new Map([
      ['mothers', [new Set(all.slice(0, 20))]],
      ['heart', [new Set(all.slice(20, 45))]],
      ['lung', [new Set(all.slice(45))]],
    ])
    expect(kept(sex, ten)).toEqual([
      ['female', 'male'],
      ['heart', 'lung', 'mothers'],
    ])
  })
})

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
    // Newcombe's, of one gap; four instances make none.
    const [high, low] = [wilson(27, 30, 0.95), wilson(6, 30, 0.95)]
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

  it('have gaps whose intervals hold all at once, and none that is sure where one may be 0', () => {
    const [found] = subgroups(
      grouped('a/one', 'sex', { f: [12, 20], m: [8, 20] }),
      grouped('b/two', 'sex', { f: [10, 20], m: [10, 20] }),
    )
    expect(found?.gaps).toBe(2)
    const [high, low] = [wilson(12, 20, 0.975), wilson(8, 20, 0.975)]
    const row = found?.rows.find(({ deployment }) => deployment === 'a/one')
    expect(row?.widest?.interval?.low).toBeCloseTo(0.2 - Math.hypot(0.6 - high.low, low.high - 0.4), 12)
    expect(row?.surest).toBeNull()
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
})
