import { describe, expect, it } from 'vitest'
import { withholdSmall } from '../../../targets/board/board-subgroups.ts'

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
    expect(byClinic).not.toContain('mothers')
  })
})
