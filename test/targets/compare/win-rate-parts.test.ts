import { describe, expect, it } from 'vitest'
import {
  NEW_MODELS,
  NEW_SCORES,
  winRateParts,
  type ScoredRelease,
} from '../../../targets/compare/win-rate-parts.ts'
import { winRates } from '../../../targets/tables/cells/win-rate.ts'

type Scores = Readonly<Record<string, Readonly<Record<string, number>>>>

const release = (scores: Scores, lower: readonly string[] = []): ScoredRelease => {
  const benchmarks = [...new Set(Object.values(scores).flatMap((own) => Object.keys(own)))]
  return {
    models: Object.keys(scores),
    benchmarks: benchmarks.map((name) => ({ name, lowerIsBetter: lower.includes(name) })),
    scoreOf: (model, benchmark) => scores[model]?.[benchmark],
  }
}

const rateOf = ({ models, benchmarks, scoreOf }: ScoredRelease, model: string): number =>
  winRates(
    benchmarks.map(({ name, lowerIsBetter }) => ({
      ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
      values: models.map((each) => scoreOf(each, name)),
    })),
    models.length,
  )[models.indexOf(model)] ?? NaN

describe('parts of a change of win rates', () => {
  it('are all of one cause where only that one changed', () => {
    const before = release({ a: { x: 1, y: 1 }, b: { x: 2, y: 2 } })
    const now = release({ a: { x: 3, y: 1 }, b: { x: 2, y: 2 } })
    const found = winRateParts(before, now, () => 'data')
    expect(found?.causes).toEqual(['data'])
    expect([...(found?.parts ?? [])]).toEqual([
      ['a', [0.5]],
      ['b', [-0.5]],
    ])
  })

  it('are shared by causes that only work together, and left at 0 by one that decides nothing', () => {
    // a passes b by both changes alone; the change on y leaves the order as it is.
    const before = release({ a: { x: 1, y: 1 }, b: { x: 2, y: 5 } })
    const now = release({ a: { x: 3, y: 2 }, b: { x: 2.5, y: 5 } })
    const found = winRateParts(before, now, (model, benchmark) =>
      benchmark === 'y' ? 'prompt' : model === 'a' ? 'data' : 'jury',
    )
    expect(found?.causes).toEqual(['data', 'jury', 'prompt'])
    expect(found?.parts.get('a')).toEqual([0.5, 0, 0])
    const both = winRateParts(
      release({ a: { x: 1 }, b: { x: 4 } }),
      release({ a: { x: 3 }, b: { x: 2 } }),
      (model) => (model === 'a' ? 'data' : 'jury'),
    )
    expect(both?.parts.get('a')).toEqual([0.5, 0.5])
  })

  it('name a benchmark that went', () => {
    const before = release({ a: { x: 1, y: 2 }, b: { x: 2, y: 1 } })
    const found = winRateParts(before, release({ a: { x: 1 }, b: { x: 2 } }), () => 'data')
    expect(found?.causes).toEqual([NEW_SCORES])
    expect(found?.parts.get('a')).toEqual([-0.5])
  })

  it('tell models and scores that came or went apart', () => {
    const before = release({ a: { x: 2 }, b: { x: 1 }, gone: { x: 0 } })
    const now = release({ a: { x: 2, y: 1 }, b: { x: 1, y: 2 }, new: { x: 3, y: 0 } })
    const found = winRateParts(before, now, () => 'data')
    expect(found?.causes).toEqual([NEW_SCORES, NEW_MODELS])
    expect([...(found?.parts.keys() ?? [])]).toEqual(['a', 'b'])
    for (const model of ['a', 'b'])
      expect(found?.parts.get(model)?.reduce((sum, part) => sum + part, 0)).toBeCloseTo(
        rateOf(now, model) - rateOf(before, model),
        12,
      )
  })

  it('add up to the change, and are what all orders give on average', () => {
    let seed = 7
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const names = ['data', 'jury', 'served'] as const
    for (let round = 0; round < 20; round += 1) {
      const make = (): Scores =>
        Object.fromEntries(
          ['a', 'b', 'c', 'd'].map((model) => [
            model,
            Object.fromEntries(['x', 'y', 'z'].map((name) => [name, Math.round(next() * 5)])),
          ]),
        )
      const [old, own] = [make(), make()]
      const causes = new Map(
        Object.keys(old).flatMap((model) =>
          ['x', 'y', 'z'].map(
            (name) => [model + name, names[Math.floor(next() * names.length)] ?? 'data'] as const,
          ),
        ),
      )
      const causeOf = (model: string, benchmark: string): string => causes.get(model + benchmark) ?? ''
      const [before, now] = [release(old, ['y']), release(own, ['y'])]
      const found = winRateParts(before, now, causeOf)
      const at = (thrown: readonly string[]): number =>
        rateOf(
          { ...now, scoreOf: (m, b) => (thrown.includes(causeOf(m, b)) ? now : before).scoreOf(m, b) },
          'a',
        )
      const orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
      ].map((order) => order.map((place) => names[place] ?? 'data'))
      for (const [place, cause] of (found?.causes ?? []).entries()) {
        const moves = orders.map((order) => {
          const earlier = order.slice(0, order.indexOf(cause as (typeof names)[number]))
          return at([...earlier, cause]) - at(earlier)
        })
        expect(found?.parts.get('a')?.[place]).toBeCloseTo(
          moves.reduce((sum, move) => sum + move, 0) / orders.length,
          12,
        )
      }
      expect(found?.parts.get('a')?.reduce((sum, part) => sum + part, 0)).toBeCloseTo(
        rateOf(now, 'a') - rateOf(before, 'a'),
        12,
      )
    }
  })

  it('that cancel up to rounding are none', () => {
    // Three benchmarks move a by thirds, once up and once down: the jury's parts cancel.
    const scores = (x: number, y: number, z: number): Scores => ({ a: { x, y, z }, b: { x: 2, y: 2, z: 2 } })
    const found = winRateParts(release(scores(1, 3, 1)), release(scores(3, 1, 3)), (_, benchmark) =>
      benchmark === 'z' ? 'data' : 'jury',
    )
    expect(found?.causes).toEqual(['data', 'jury'])
    expect(found?.parts.get('a')?.[1]).toBe(0)
    expect(found?.parts.get('a')?.[0]).toBeCloseTo(1 / 3, 12)
  })

  it('are told of models that both releases have alone, whichever lacks one', () => {
    const [few, many] = [
      release({ a: { x: 1 }, b: { x: 2 } }),
      release({ a: { x: 1 }, b: { x: 2 }, c: { x: 3 } }),
    ]
    for (const [before, now] of [
      [few, many],
      [many, few],
    ] as const)
      expect([...(winRateParts(before, now, () => 'data')?.parts.keys() ?? [])]).toEqual(['a', 'b'])
  })

  it('are not told of more causes than all orders can be weighed of', () => {
    const scores = (by: number, models: number): Scores =>
      Object.fromEntries(Array.from({ length: models }, (_, at) => [`m${at}`, { x: (at + 1) * by }]))
    const partsOf = (models: number): ReturnType<typeof winRateParts> =>
      winRateParts(release(scores(1, models)), release(scores(-1, models)), (model) => model)
    expect(partsOf(9)?.causes).toHaveLength(9)
    expect(partsOf(10)).toBeUndefined()
  })
})
