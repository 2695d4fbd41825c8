import { remembered } from '../../cache/once.ts'
import { exactMean } from '../statistics/exact-sum.ts'
import { type BoardMetric, scenarioOf } from '../runs/board-metric.ts'
import { ownId } from '../runs/question-ids.ts'
import type { BoardValues } from './board-columns.ts'

/** An instance with what models reached on it. */
interface HardInstance {
  /** A run that holds it: that of the first model of the list. */
  readonly run: string
  readonly id: string
  /** Mean over the models that have a value that could be read, and the best of them. */
  readonly mean: number
  readonly best: number
  readonly models: number
}

interface HardInstances {
  /** Instances of which a value could be read. */
  readonly instances: number
  /** Those on which no model was right, where every value is right or wrong and no mean; null else. */
  readonly unsolved: number | null
  /** The lowest means first, equal ones in the data's order. */
  readonly hardest: readonly HardInstance[]
}

interface Tally {
  readonly run: string
  readonly id: string
  readonly values: number[]
}

/** @param values of one benchmark; @param most instances that are listed */
export const hardInstances = (
  values: readonly BoardValues[],
  { isBinary, lowerIsBetter = false }: Pick<BoardMetric, 'isBinary' | 'lowerIsBetter'>,
  most: number,
): HardInstances => {
  const tallies = new Map<string, Tally>()
  for (const { run, vector } of values)
    for (const [at, id] of vector.ids.entries()) {
      const value = vector.values[at] ?? NaN
      if (Number.isNaN(value)) continue
      const key = JSON.stringify([scenarioOf(run), id])
      remembered(tallies, key, () => ({ run, id, values: [] })).values.push(value)
    }
  const sign = lowerIsBetter ? -1 : 1
  const known = [...tallies.values()].map(({ run, id, values: own }) => ({
    run,
    id: ownId(id),
    mean: exactMean(own),
    best: sign * Math.max(...own.map((value) => sign * value)),
    models: own.length,
  }))
  return {
    instances: known.length,
    unsolved:
      isBinary && values.every(({ vector }) => vector.areMeans !== true)
        ? known.filter(({ best }) => best === (lowerIsBetter ? 1 : 0)).length
        : null,
    hardest: known.toSorted((a, b) => sign * (a.mean - b.mean)).slice(0, most),
  }
}
