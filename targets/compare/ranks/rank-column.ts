import { type AlignedVectors, bothValues } from '../../runs/aligned-vectors.ts'
import type { MetricScale } from '../../statistics/intervals/mean-interval.ts'
import type { PairedSides } from '../../statistics/paired/paired-sides.ts'

/** Values of one benchmark, of every model on the same instances. */
export interface RankColumn extends MetricScale {
  readonly benchmark: string
  /** Undefined where nobody says what is better: the column is not compared. */
  readonly lowerIsBetter?: boolean
  /** The benchmark's runs by model, all counting the same (HELM.md T21). */
  readonly strata: readonly AlignedVectors[]
  /** By model, HELM's own digits of its mean, which a board shows; undefined where something is missing. */
  readonly helmScores?: readonly (number | undefined)[]
}

/**
 * Scenarios of a column that both rows were run on, side by side on the instances that both were asked. Rows of a lone
 * scenario stand for themselves, whatever scenarios others were run on: its test is the one of a benchmark of one run.
 */
export const pairSides = (
  { benchmark, strata }: Pick<RankColumn, 'benchmark' | 'strata'>,
  left: number,
  right: number,
): readonly PairedSides[] => {
  const both = strata.flatMap((run) => {
    const found = bothValues(run, left, right)
    return found === undefined ? [] : [{ ...found, areRows: run.areRows === true }]
  })
  return both.map(({ values: [a, b], sources, areRows, areMeans }) => {
    const isAlone = areRows && both.length === 1
    return { benchmark, a, b, areMeans, ...(sources && !isAlone && { sources }) }
  })
}

/**
 * The scenarios of a benchmark by which its models are ranked: those that more than half of them were run on, or, where fewer
 * than two models have all of these, those that every model was run on. Others say more of who was asked what than of models.
 * @param byModel each model's scenarios; none for a model without a run
 */
const countedScenarios = (byModel: readonly (readonly string[])[]): ReadonlySet<string> => {
  const models = byModel.filter(({ length }) => length > 0).map((own) => new Set(own))
  const all = [...new Set(byModel.flat())]
  const heldBy = (least: number): readonly string[] =>
    all.filter((scenario) => models.filter((own) => own.has(scenario)).length >= least)
  const usual = heldBy(Math.floor(models.length / 2) + 1)
  const whole = models.filter((own) => usual.every((scenario) => own.has(scenario)))
  return new Set(whole.length < Math.min(2, models.length) ? heldBy(models.length) : usual)
}

/** What of a model's runs of a benchmark it is ranked by. */
export interface CountedRuns<T> {
  /** All where some counted one is missing: the model is not ranked then. */
  readonly runs: readonly T[]
  /** Others, which too few models have. */
  readonly leftOut: readonly T[]
  /** Runs that it lacks. */
  readonly missing: number
}

/** By model. @param byModel each model's runs of one benchmark */
export const countedRuns = <T>(
  byModel: readonly (readonly T[])[],
  scenarioOf: (run: T) => string,
): readonly CountedRuns<T>[] => {
  const names = byModel.map((runs) => runs.map(scenarioOf))
  const counted = countedScenarios(names)
  // Where models have nothing in common, each lacks what the others have.
  const wanted = counted.size > 0 ? counted : new Set(names.flat())
  return byModel.map((runs, model) => {
    const missing =
      runs.length === 0 ? 0 : [...wanted].filter((each) => names[model]?.includes(each) !== true).length
    const [own, leftOut] = [true, false].map((is) => runs.filter((run) => wanted.has(scenarioOf(run)) === is))
    return missing > 0 ? { runs, leftOut: [], missing } : { runs: own ?? [], leftOut: leftOut ?? [], missing }
  })
}
