import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { winRates } from '../tables/cells/win-rate.ts'

/** Scores of one release: by model, then benchmark. */
export interface ScoredRelease {
  readonly models: readonly string[]
  readonly benchmarks: readonly ScoredBenchmark[]
  /** Undefined where a model is not ranked. */
  readonly scoreOf: (model: string, benchmark: string) => number | undefined
}

interface ScoredBenchmark {
  readonly name: string
  /** Absent where nobody says what is better. */
  readonly lowerIsBetter?: boolean
}

/** What moved the win rates of models that two releases have. */
export interface WinRateParts {
  /** What the parts are of: names that `causeOf` gave, then `NEW_SCORES`, `NEW_MODELS`. */
  readonly causes: readonly string[]
  /** By model, in the order of the causes; they add up to the change. */
  readonly parts: ReadonlyMap<string, readonly number[]>
}

/** Models that came or went: who else is there changes how often a model wins. */
export const NEW_MODELS = 'models that came or went'
/** Benchmarks that came or went, and scores that only one of the releases ranks. */
export const NEW_SCORES = 'scores that came or went'

/** Causes whose every order is weighed; with more, 2^causes tables would have to be formed. */
const MOST_CAUSES = 9

/**
 * Shapley values of the changes between two releases, each cause a switch: what throwing it moves a model's win rate, on
 * average over all orders of the switches.
 * @param causeOf what was not the same of a score that both releases have
 * @returns undefined for more causes than can be weighed
 */
export const winRateParts = (
  before: ScoredRelease,
  now: ScoredRelease,
  causeOf: (model: string, benchmark: string) => string,
): WinRateParts | undefined => {
  const benchmarks = [
    ...new Map([...before.benchmarks, ...now.benchmarks].map((each) => [each.name, each])).values(),
  ]
  const models = [...new Set([...before.models, ...now.models])]
  const columns = benchmarks.map(({ name }) =>
    models.map((model) => cellOf(before, now, { model, benchmark: name, causeOf })),
  )
  const causes = causesOf(columns.flat())
  if (causes.length > MOST_CAUSES) return undefined
  // With the switches of a set thrown, bit by bit.
  const rates = Array.from({ length: 2 ** causes.length }, (_, thrown) =>
    winRates(
      columns.map((column, at) => {
        const lowerIsBetter = benchmarks[at]?.lowerIsBetter
        return {
          ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
          values: column.map(({ cause, old, own }) =>
            ((thrown >> causes.indexOf(cause)) & 1) === 1 ? own : old,
          ),
        }
      }),
      models.length,
    ),
  )
  const parts = models.flatMap((model, row) => {
    const values = rates.map((each) => each[row])
    const isBoth = before.models.includes(model) && now.models.includes(model)
    return isBoth && values.every((value) => value !== undefined)
      ? [[model, shapley(values, causes.length)] as const]
      : []
  })
  return { causes, parts: new Map(parts) }
}

interface Cell {
  readonly cause: string
  readonly old: number | undefined
  readonly own: number | undefined
}

interface Asked {
  readonly model: string
  readonly benchmark: string
  readonly causeOf: (model: string, benchmark: string) => string
}

const cellOf = (before: ScoredRelease, now: ScoredRelease, { model, benchmark, causeOf }: Asked): Cell => {
  const [old, own] = [before.scoreOf(model, benchmark), now.scoreOf(model, benchmark)]
  if (!before.models.includes(model) || !now.models.includes(model)) return { cause: NEW_MODELS, old, own }
  const isBoth = old !== undefined && own !== undefined
  return { cause: isBoth ? causeOf(model, benchmark) : NEW_SCORES, old, own }
}

/** Those that changed anything, by name; who and what came or went last. */
const causesOf = (cells: readonly Cell[]): readonly string[] => {
  const last = [NEW_SCORES, NEW_MODELS]
  return [...new Set(cells.flatMap(({ cause, old, own }) => (old === own ? [] : [cause])))].sort(
    (a, b) => last.indexOf(a) - last.indexOf(b) || compareCodePoints(a, b),
  )
}

/** Far less than a win of many models and benchmarks moves a rate. */
const ROUNDING = 1e-12

/** @param values by set of players, as bits */
const shapley = (values: readonly (number | undefined)[], players: number): readonly number[] => {
  const factorials = [1]
  for (let at = 1; at <= players; at += 1) factorials.push((factorials[at - 1] ?? 1) * at)
  const valueOf = (set: number): number => values[set] ?? 0
  return Array.from({ length: players }, (_, player) => {
    let sum = 0
    for (let set = 0; set < values.length; set += 1) {
      if (((set >> player) & 1) === 1) continue
      const size = bitsOf(set)
      const weight =
        ((factorials[size] ?? 1) * (factorials[players - size - 1] ?? 1)) / (factorials[players] ?? 1)
      sum += weight * (valueOf(set | (1 << player)) - valueOf(set))
    }
    // What cancels leaves no part.
    return Math.abs(sum) < ROUNDING ? 0 : sum
  })
}

const bitsOf = (set: number): number => {
  let count = 0
  for (let rest = set; rest > 0; rest &= rest - 1) count += 1
  return count
}
