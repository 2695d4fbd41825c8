import { describe, expect, it, test } from 'vitest'
import { withholdSmall } from '../../../targets/board/withhold-small.ts'

/** One run's instances: five from each start on. */
const ids = (...starts: readonly number[]): Set<string>[] => [
  new Set(starts.flatMap((start) => Array.from({ length: 5 }, (_, at) => `i${start + at}`))),
]

test('Groups of just the least size are shown beside others of that size which they cross.', () => {
  const sex = new Map([
    ['f', ids(0, 5)],
    ['m', ids(10, 15)],
  ])
  const age = new Map([
    ['old', ids(0, 10)],
    ['young', ids(5, 15)],
  ])
  expect(withholdSmall([sex, age])).toEqual([new Set(['f', 'm']), new Set(['old', 'young'])])
  expect(withholdSmall([sex, age], 11)).toEqual([new Set(), new Set()])
})

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
    // Of two alike the first by name, whichever stands first.
    expect(kept(groupsOf({ d: 9, c: 11, b: 11, a: 40 }))).toEqual([['a', 'c']])
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
