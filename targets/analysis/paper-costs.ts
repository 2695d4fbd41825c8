import { sumOver } from '../../cache/lists.ts'
import type { Price } from '../../models/prices/price.ts'

/** What one model's answers to one benchmark took, as published. */
export interface PublishedCost {
  readonly model: string
  readonly benchmark: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** Read and written by one judge; the jury's other judges read and write as many. */
  readonly judgeInputTokens: number
  readonly judgeOutputTokens: number
}

/** A model's row of the paper's Table 3. Costs in US dollars; null where a list price is not known. */
export interface CostRow {
  readonly model: string
  readonly benchmarks: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Both. */
  readonly benchmarkTokens: number
  readonly juryTokens: number
  readonly benchmarkUsd: number | null
  readonly juryUsd: number | null
  readonly totalUsd: number | null
}

const MILLION = 1e6

/**
 * Table 3: tokens added up, costs by list price.
 * @param priceOf a model's list price
 * @param judges the judges' list prices; null where one is not known
 */
export const costRows = (
  costs: readonly PublishedCost[],
  priceOf: (model: string) => Price | undefined,
  judges: readonly Price[] | null,
): readonly CostRow[] =>
  [...new Set(costs.map(({ model }) => model))].map((model) => {
    const own = costs.filter((each) => each.model === model)
    const total = sumOver(own)
    const [input, output] = [total((each) => each.inputTokens), total((each) => each.outputTokens)]
    const [read, written] = [total((each) => each.judgeInputTokens), total((each) => each.judgeOutputTokens)]
    const price = priceOf(model)
    const benchmarkUsd = price === undefined ? null : usd(input, output, price)
    const juryUsd = judges === null ? null : judges.reduce((sum, judge) => sum + usd(read, written, judge), 0)
    return {
      model,
      benchmarks: own.length,
      inputTokens: input,
      outputTokens: output,
      benchmarkTokens: input + output,
      juryTokens: read + written,
      benchmarkUsd,
      juryUsd,
      totalUsd: benchmarkUsd === null || juryUsd === null ? null : benchmarkUsd + juryUsd,
    }
  })

const usd = (input: number, output: number, price: Price): number =>
  (input * price.input + output * price.output) / MILLION
