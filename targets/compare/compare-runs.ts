import type { BoardMetric } from '../aggregate/board-metric.ts'
import { holm } from '../statistics/multiple/holm.ts'
import { meanOf } from '../statistics/mean.ts'
import type { ComparedRun } from './compared-run.ts'
import { underFloor, type UnderFloor } from './under-floor.ts'
import { pairInstances } from './pair-instances.ts'
import { comparePaired, type PairedResult, type PairedValue } from './paired-values.ts'

/** Two runs that are to be compared: A before or against, B after or for. */
export interface RunPair {
  readonly a: ComparedRun
  readonly b: ComparedRun
}

/** One metric of two runs on the instances that both have a value of. */
export interface Comparison {
  readonly suite: string
  readonly benchmark: string
  readonly scenario: string
  readonly runA: string
  readonly runB: string
  readonly deploymentB: string
  readonly metric: string
  /** True for the metric that stands for the benchmark. */
  readonly isMain: boolean
  /** Null where nobody says what is better. */
  readonly lowerIsBetter: boolean | null
  /** Instances with a value on one side only: not the same question, or failed on the other side. */
  readonly unpairedA: number
  readonly unpairedB: number
  /** What there is where a side's coverage is under its floor: shown, and nothing is decided by it. */
  readonly unranked: UnrankedMeans | null
  /** Null where no instance is shared, or a side is unranked. */
  readonly result: (PairedResult & { readonly holm: number }) | null
}

/** Means on the instances that both have a value of. */
export interface UnrankedMeans {
  readonly n: number
  readonly meanA: number
  readonly meanB: number
  /** A coverage for each side that is under its floor. */
  readonly a: UnderFloor | null
  readonly b: UnderFloor | null
}

/** Compares pair by pair and metric by metric; p values are adjusted by Holm over all of them. */
export const compareRuns = (pairs: readonly RunPair[]): readonly Comparison[] => {
  const compared = pairs.flatMap(({ a, b }) =>
    b.metrics
      .filter(({ name }) => a.metrics.some((other) => other.name === name))
      .map((metric) => {
        const values = valuesOf({ a, b }, metric.name)
        return { a, b, metric, values, unranked: unrankedMeans({ a, b }, metric.name, values.paired) }
      }),
  )
  const results = compared.map(({ a, b, metric, values, unranked }) =>
    values.paired.length === 0 || unranked !== null
      ? null
      : comparePaired(values.paired, {
          isBinary: metric.isBinary,
          name: `${metric.name} of ${a.name} and ${b.name}`,
        }),
  )
  const adjusted = holm(results.flatMap((result) => (result === null ? [] : [result.p])))
  let place = 0
  return compared.map(({ a, b, metric, values, unranked }, index) => {
    const result = results[index] ?? null
    return {
      ...identityOf({ a, b }, metric),
      unpairedA: values.onlyA,
      unpairedB: values.onlyB,
      unranked,
      result: result === null ? null : { ...result, holm: adjusted[place++] ?? 1 },
    }
  })
}

const unrankedMeans = (
  { a, b }: RunPair,
  metric: string,
  paired: readonly PairedValue[],
): UnrankedMeans | null => {
  const [underA, underB] = [underFloor([a], metric), underFloor([b], metric)]
  return underA === null && underB === null
    ? null
    : {
        n: paired.length,
        meanA: meanOf(paired.map((pair) => pair.a)),
        meanB: meanOf(paired.map((pair) => pair.b)),
        a: underA,
        b: underB,
      }
}

const identityOf = (
  { a, b }: RunPair,
  metric: BoardMetric,
): Omit<Comparison, 'unpairedA' | 'unpairedB' | 'unranked' | 'result'> => ({
  suite: b.suite,
  benchmark: b.benchmark,
  scenario: b.scenario,
  runA: a.name,
  runB: b.name,
  deploymentB: b.deployment,
  metric: metric.name,
  isMain: metric.name === b.mainMetric,
  lowerIsBetter: metric.lowerIsBetter ?? null,
})

const valuesOf = (
  { a, b }: RunPair,
  metric: string,
): { readonly paired: readonly PairedValue[]; readonly onlyA: number; readonly onlyB: number } => {
  const paired = pairInstances(a.instances, b.instances).flatMap((pair): readonly PairedValue[] => {
    const before = pair.a.values.get(metric)
    const after = pair.b.values.get(metric)
    if (before === undefined || after === undefined) return []
    const cluster = pair.b.cluster
    return [{ a: before, b: after, ...(cluster === undefined ? {} : { cluster }) }]
  })
  const measured = ({ instances }: ComparedRun): number =>
    instances.filter(({ values }) => values.has(metric)).length
  return { paired, onlyA: measured(a) - paired.length, onlyB: measured(b) - paired.length }
}
