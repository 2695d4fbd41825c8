import { describe, expect, it } from 'vitest'
import { boardSubgroups } from '../../../targets/board/board-subgroups.ts'
import { withholdSmall } from '../../../targets/board/withhold-small.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { gaffke } from '../../../targets/statistics/intervals/gaffke.ts'
import { wilson, type Interval } from '../../../targets/statistics/intervals/wilson.ts'
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

  it('of many instances of few patients are no more than these', () => {
    const ward = (patients: number, from: number): Map<string, string> =>
      new Map(Array.from({ length: 40 }, (_, at) => [`i${from + at}`, `p${from + (at % patients)}`]))
    const groups = new Map([
      ['a', [ward(1, 0)]],
      ['b', [ward(10, 40)]],
      ['c', [ward(12, 80)]],
    ])
    expect(withholdSmall([groups])).toEqual([new Set(['c'])])
    // All of ward b but one patient, who has ten answers.
    const ofB = [...ward(10, 40)]
    const rest = new Map([
      ['most', [new Map(ofB.filter(([, patient]) => patient !== 'p40'))]],
      ['other', [new Map([...ward(12, 80), ...ofB.filter(([, patient]) => patient === 'p40')])]],
    ])
    const both = new Map([
      ['b', [ward(10, 40)]],
      ['c', [ward(12, 80)]],
    ])
    const [wards, others] = withholdSmall([both, rest])
    expect([wards?.size, others?.size]).toEqual([2, 0])
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

/** Every sum of parts of one attribute without parts of another that lie in it, as sizes. */
const leftovers = (outer: readonly Set<string>[], inner: readonly Set<string>[]): readonly number[] =>
  Array.from({ length: 2 ** outer.length }, (_, chosen) => {
    const all = new Set(outer.flatMap((ids, at) => ((chosen >> at) & 1 ? [...ids] : [])))
    const within = inner.filter((ids) => [...ids].every((id) => all.has(id)))
    return Array.from({ length: 2 ** within.length }, (__, taken) =>
      within.reduce((left, ids, at) => left - ((taken >> at) & 1 ? ids.size : 0), all.size),
    )
  }).flat()

describe('groups of several attributes', () => {
  it('of a run that is small as a whole are all withheld', () => {
    expect(kept(groupsOf({ a: 3, b: 2 }), groupsOf({ c: 5 }))).toEqual([[], []])
  })

  it('are withheld where one run holds but one of those that are', () => {
    const ids = (from: number, to: number): Set<string> =>
      new Set(Array.from({ length: to - from }, (_, at) => `i${from + at}`))
    // The second run was asked none of b, so that a, withheld for its size there, would follow from the whole.
    const sets = {
      a: [ids(0, 20), ids(0, 4)],
      b: [ids(20, 26), ids(0, 0)],
      c: [ids(26, 56), ids(26, 56)],
      d: [ids(56, 99), ids(56, 99)],
    }
    expect(kept(new Map(Object.entries(sets)))).toEqual([['d']])
  })

  it('do not tell of a few by what they leave of a wider group together', () => {
    const named = (sizes: Readonly<Record<string, number>>, prefix: string): [string, Set<string>[]][] => {
      let next = 0
      return Object.entries(sizes).map(([name, size]) => [
        name,
        [new Set(Array.from({ length: size }, () => `${prefix}${next++}`))],
      ])
    }
    const parts = [
      ...named({ heart: 20, lung: 20, skin: 5 }, 'a'),
      ...named({ birth: 20, child: 15, dental: 5 }, 'b'),
    ]
    const both = (from: number): Set<string>[] => [
      new Set(parts.slice(from, from + 3).flatMap(([, [ids]]) => [...(ids ?? [])])),
    ]
    const wide = new Map([
      ['adults', both(0)],
      ['young', both(3)],
    ])
    // Of the finer one alone two would be withheld; adults less heart and lung are those of the skin.
    expect(kept(new Map(parts))).toEqual([['birth', 'child', 'heart', 'lung']])
    const [wider, finer = []] = kept(wide, new Map(parts))
    expect(wider).toEqual(['adults', 'young'])
    expect(finer.length).toBeLessThan(4)
    expect(finer).not.toEqual(expect.arrayContaining(['heart', 'lung']))
    expect(finer).not.toEqual(expect.arrayContaining(['birth', 'child']))
  })

  it('leave no few of each other, however they are added and taken away', () => {
    let state = 7
    const below = (end: number): number => (state = (state * 48_271) % 2_147_483_647) % end
    let shown = 0
    for (let round = 0; round < 300; round += 1) {
      const ids = Array.from({ length: 20 + below(30) }, (_, at) => `i${at}`)
      const attributes = Array.from({ length: 2 + below(2) }, (_, at) => {
        const groups = new Map<string, [Set<string>, Set<string>]>()
        // Some lie in each other, the second run is asked less.
        const [width, shift] = [4 + below(12), below(3)]
        for (const [place, id] of ids.entries()) {
          const group = below(9) === 0 ? `g${below(4)}` : `g${Math.floor((place + shift * at) / width)}`
          const sets = groups.get(group) ?? [new Set<string>(), new Set<string>()]
          groups.set(group, sets)
          sets[0].add(id)
          if (place % 4 !== 1) sets[1].add(id)
        }
        return groups
      })
      const left = withholdSmall(attributes, 4)
      shown += left.filter(({ size }) => size > 0).length
      for (const run of [0, 1]) {
        const parts = attributes.map((groups, at) => {
          const hidden = [...groups].filter(([group]) => left[at]?.has(group) !== true)
          return [
            ...[...groups].flatMap(([group, sets]) => (left[at]?.has(group) === true ? sets[run] : [])),
            new Set(hidden.flatMap(([, sets]) => [...(sets[run] ?? [])])),
          ].filter((set): set is Set<string> => set !== undefined && set.size > 0)
        })
        for (const outer of parts)
          for (const inner of parts)
            expect(leftovers(outer, inner).filter((size) => size > 0 && size < 4)).toEqual([])
      }
    }
    expect(shown).toBeGreaterThan(150)
  })
})

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
