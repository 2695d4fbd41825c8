import type { RankColumn } from '../compare/ranks/rank-column.ts'
import { meanOf, squaresOf, medhelmMde } from '../statistics/mean.ts'
import { NO_SPREAD } from '../statistics/paired/contrast.ts'

/** The least difference between two models that a benchmark can show (paper, appendix E), over all pairs of models. */
export interface DetectableEffect {
  readonly benchmark: string
  /** Pairs of models that share instances. */
  readonly pairs: number
  /** Fewest and most instances that a pair shares. */
  readonly instances: readonly [fewest: number, most: number]
  /** Of these, pairs that differ by the same everywhere: of the spread that a rerun would have they tell nothing. */
  readonly still: number
  /**
   * Mean over the other pairs, as a share of `whole`; and their standard deviation, dividing by the pairs.
   * Null without any.
   */
  readonly mean: number | null
  readonly sd: number | null
  /**
   * The same as the paper's script forms it: it divides only what is above 1, so the lowest rating counts like the
   * highest, and takes a pair without spread for one that shows any difference. Differs where a rating is exactly 1, and
   * where such pairs are.
   */
  readonly asPublished: { readonly mean: number; readonly sd: number }
}

/**
 * Undefined where no two models share an instance. Instances of a benchmark's runs are pooled.
 * @param whole what effects are shares of
 */
export const detectableEffect = (
  { benchmark, strata }: Pick<RankColumn, 'benchmark' | 'strata'>,
  whole: number,
): DetectableEffect | undefined => {
  const models = strata[0]?.values.length ?? 0
  const pairs = Array.from({ length: models }, (_, a) => a).flatMap((a) =>
    Array.from({ length: models - a - 1 }, (_, step) => sharedValues(strata, a, a + 1 + step)),
  )
  const shared = pairs.filter(({ length }) => length > 0)
  if (shared.length === 0) return undefined
  const counts = shared.map(({ length }) => length)
  const effects = effectsOf(shared, (value) => value / whole)
  const moved = effects.filter((effect) => effect ** 2 > NO_SPREAD)
  return {
    benchmark,
    pairs: shared.length,
    instances: [Math.min(...counts), Math.max(...counts)],
    still: effects.length - moved.length,
    ...(moved.length === 0 ? { mean: null, sd: null } : summary(moved)),
    asPublished: summary(effectsOf(shared, (value) => (value > 1 ? value / whole : value))),
  }
}

type Values = readonly (readonly [a: number, b: number])[]

const sharedValues = (strata: RankColumn['strata'], a: number, b: number): Values =>
  strata.flatMap(({ values, instances }) => {
    const [own, other] = [values[a], values[b]]
    if (own === undefined || other === undefined) return []
    return Array.from({ length: instances }, (_, at) => [own[at] ?? NaN, other[at] ?? NaN] as const).filter(
      ([first, second]) => !Number.isNaN(first) && !Number.isNaN(second),
    )
  })

const effectsOf = (pairs: readonly Values[], scaled: (value: number) => number): readonly number[] =>
  pairs.flatMap((values) => medhelmMde(values.map(([a, b]) => scaled(a) - scaled(b))) ?? [])

const summary = (effects: readonly number[]): { readonly mean: number; readonly sd: number } => ({
  mean: meanOf(effects),
  sd: Math.sqrt(squaresOf(effects) / effects.length),
})
