import { describe, expect, it } from 'vitest'
import { digestOf } from '../../../../cache/values/digest.ts'
import { assignUnits } from '../../../../targets/ratings/assign/assign.ts'
import type { Study, StudyUnit } from '../../../../targets/ratings/study.ts'
import { unitsOf } from '../made-ratings.ts'

describe('assignUnits', () => {
  const rules = { id: 'main', seed: '1', overlap: 0.5 }
  const held = (raters: Study['raters']): ReadonlyMap<number, number> => {
    const counts = new Map<number, number>()
    for (const { units } of raters)
      for (const number of units) counts.set(number, (counts.get(number) ?? 0) + 1)
    return counts
  }

  it('gives each unit once, and a share of each stratum twice; the same in whatever order units come', () => {
    const units = unitsOf(90)
    const raters = assignUnits(units, ['ann', 'bob', 'cyd'], rules)
    const twice = [...held(raters)].filter(([, count]) => count === 2).map(([number]) => number)
    expect(held(raters).size).toBe(90)
    expect(Math.max(...held(raters).values())).toBe(2)
    expect([0, 1, 2].map((stratum) => twice.filter((number) => (number - 1) % 3 === stratum).length)).toEqual(
      [15, 15, 15],
    )
    for (const { units: own } of raters) {
      expect(new Set(own).size).toBe(45)
      // So that a strict rater does not look like a weak model.
      const strata = [0, 1, 2].map((stratum) => own.filter((number) => (number - 1) % 3 === stratum).length)
      expect(strata).toEqual([15, 15, 15])
    }
    expect(assignUnits(units.toReversed(), ['ann', 'bob', 'cyd'], rules)).toEqual(raters)
  })

  it('draws what two raters see at random within a stratum, and from a small one no more than its share', () => {
    const units = unitsOf(100).map((unit): StudyUnit => ({
      ...unit,
      drawn: [[0, unit.number <= 10 ? 0 : 1]],
    }))
    const raters = assignUnits(units, ['ann', 'bob'], { ...rules, overlap: 0.3 })
    const twice = [...held(raters)].flatMap(([number, count]) => (count === 2 ? [number] : []))
    expect([twice.length, twice.filter((number) => number <= 10).length]).toEqual([30, 3])
    expect(twice.some((number) => number > 55)).toBe(true)
  })

  it('gives each rater as many of each model as the others, also where few share many instances', () => {
    // Three models that each answered 20 of 24 instances, all of them for two of three raters.
    const units = unitsOf(60).map((unit, at) => ({
      ...unit,
      instance: `instance ${(at % 20) + Math.floor(at / 20)}`,
      drawn: [[Math.floor(at / 20), (at * 7) % 3]] as StudyUnit['drawn'],
    }))
    const raters = assignUnits(units, ['ann', 'bob', 'cyd'], rules)
    const counts = (of: (unit: StudyUnit) => boolean) =>
      raters.map(({ units: own }) => units.filter((unit) => own.includes(unit.number) && of(unit)).length)
    const apart = (of: (unit: StudyUnit) => boolean) => Math.max(...counts(of)) - Math.min(...counts(of))
    expect(apart(() => true)).toBeLessThanOrEqual(1)
    for (const place of [0, 1, 2]) {
      expect(apart(({ drawn }) => drawn[0]?.[0] === place)).toBeLessThanOrEqual(1)
      expect(apart(({ drawn }) => drawn[0]?.[1] === place)).toBeLessThanOrEqual(1)
    }
  })

  it('gives at least 30 twice, all where there are fewer, and none to a rater alone', () => {
    const shared = (count: number, names: readonly string[], overlap = 0.1): number =>
      [...held(assignUnits(unitsOf(count), names, { ...rules, overlap })).values()].filter(
        (each) => each === 2,
      ).length
    expect(shared(90, ['ann', 'bob'])).toBe(30)
    expect(shared(20, ['ann', 'bob'])).toBe(20)
    expect(shared(90, ['ann', 'bob'], 0.4)).toBe(36)
    expect(shared(91, ['ann', 'bob'], 0.4)).toBe(37)
    expect(shared(90, ['ann'])).toBe(0)
  })

  it('keeps what was given, puts the rest behind it, and counts pairs that share already', () => {
    const units = unitsOf(60)
    const before = [
      { name: 'ann', units: [5, 1, 2] },
      { name: 'gone', units: [3, 1] },
    ]
    const raters = assignUnits(units, ['ann', 'bob'], rules, before)
    expect(raters.map(({ name }) => name)).toEqual(['ann', 'gone', 'bob'])
    expect(raters[0]?.units.slice(0, 3)).toEqual([5, 1, 2])
    expect(raters[1]?.units).toEqual([3, 1])
    expect(held(raters).size).toBe(60)
    // All of these are shared; what two have already goes to no third.
    const few = assignUnits(units.slice(0, 20), ['ann', 'bob'], rules, before)
    expect([...held(few)].filter(([, count]) => count !== 2)).toEqual([])
  })

  it('shares as many of the answers that there are, and as evenly, where those of before are gone', () => {
    const names = ['ann', 'bob']
    const first = assignUnits(unitsOf(45), names, rules)
    const gone = unitsOf(45).map((unit) => ({ ...unit, drawn: [] }))
    const raters = assignUnits([...gone, ...unitsOf(90).slice(45)], [...names, 'cyd'], rules, first)
    const own = raters.map(({ units }) => units.filter((number) => number > 45))
    const twice = [...held(own.map((units, at) => ({ name: String(at), units }))).values()]
    expect(twice.filter((count) => count === 2)).toHaveLength(30)
    expect(own.map(({ length }) => length)).toEqual([25, 25, 25])
    expect(raters[0]?.units.slice(0, -25)).toEqual(first[0]?.units)
  })

  it('shares alike between all pairs of raters', () => {
    const units = unitsOf(120).map((unit) => ({ ...unit, drawn: [[0, 0] as [number, number]] }))
    const raters = assignUnits(units, ['ann', 'bob', 'cyd', 'dan'], { ...rules, overlap: 1 })
    const pairs = new Map<string, number>()
    for (const number of held(raters).keys()) {
      const holders = raters.filter((rater) => rater.units.includes(number)).map(({ name }) => name)
      pairs.set(holders.join(), (pairs.get(holders.join()) ?? 0) + 1)
    }
    expect([...pairs.values()]).toEqual([20, 20, 20, 20, 20, 20])
  })

  it('puts a rater’s items in the order of their digests', () => {
    const [{ units } = { units: [] }] = assignUnits(unitsOf(9), ['ann'], { ...rules, overlap: 0 })
    const place = (number: number) => digestOf(JSON.stringify(['1', 'main', 'order', 'ann', number]))
    expect(units).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].toSorted((a, b) => (place(a) < place(b) ? -1 : 1)))
  })

  it('refuses raters whom no shared answer connects, and says who stands apart', () => {
    const before = [
      { name: 'ann', units: [1, 2] },
      { name: 'bob', units: [2] },
    ]
    const apart = (names: readonly string[]) => () =>
      assignUnits(unitsOf(9), names, { ...rules, overlap: 0 }, before)
    expect(apart(['ann', 'bob', 'cyd'])).toThrow('ann, bob | cyd')
    expect(apart(['ann', 'bob'])).not.toThrow()
  })

  it('keeps answers of one instance with one rater each where it can, else ten items apart', () => {
    const units = unitsOf(60, 30)
    const none = assignUnits(units, ['ann', 'bob'], { ...rules, overlap: 0 }, [
      // So that they are connected.
      { name: 'ann', units: [1] },
      { name: 'bob', units: [1] },
    ])
    const instanceOf = (number: number): number => (number - 1) % 30
    for (const { units: own } of none) {
      const others = own.map(instanceOf).filter((instance) => instance !== 0)
      expect(new Set(others).size).toBe(others.length)
    }
    const alone = assignUnits(units, ['ann'], { ...rules, overlap: 0 })[0]?.units ?? []
    expect(alone).toHaveLength(60)
    for (const [place, number] of alone.entries())
      if (place < 40)
        expect(alone.slice(place + 1, place + 10).map(instanceOf)).not.toContain(instanceOf(number))
  })
})
