import { isCovered, sumCoverage, type Coverage } from '../record/coverage.ts'
import type { ComparedRun } from './compared-run.ts'

/** What there is of a metric of which there is too little. */
export interface UnderFloor extends Coverage {
  readonly floor: number
}

/**
 * The coverage of a model's runs of one benchmark together, where it is under the benchmark's floor: their values are
 * shown, and neither rank nor decide anything. Null where enough is there.
 */
export const underFloor = (runs: readonly ComparedRun[], metric: string): UnderFloor | null => {
  const coverage = sumCoverage(runs.flatMap((run) => run.coverage.get(metric) ?? []))
  const floor = Math.max(...runs.map(({ coverageFloor }) => coverageFloor))
  return isCovered(coverage, floor) ? null : { ...coverage, floor }
}
