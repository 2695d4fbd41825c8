import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { groupBy } from '../../../cache/lists.ts'
import { alignVectors, type AlignableVector, type AlignedVectors } from '../../runs/aligned-vectors.ts'
import type { ComparedRun } from '../compared-run.ts'
import { underFloor, type UnderFloor } from '../under-floor.ts'
import type { RankColumn } from './rank-column.ts'

/** A model whose runs of a benchmark are under its floor: it has no value in the column. */
export interface UnrankedCell {
  readonly benchmark: string
  readonly deployment: string
  readonly coverage: UnderFloor
}

export interface RankColumns {
  readonly models: readonly string[]
  readonly columns: readonly RankColumn[]
  readonly unranked: readonly UnrankedCell[]
}

/** Runs of a suite by main metric, as ranking wants them: benchmarks × models. */
export const rankColumns = (all: readonly ComparedRun[]): RankColumns => {
  const unranked = unrankedCells(all)
  const runs = all.map((run) =>
    unranked.some(({ benchmark, deployment }) => benchmark === run.benchmark && deployment === run.deployment)
      ? { ...run, metrics: [] }
      : run,
  )
  const models = [...new Set(runs.map(({ deployment }) => deployment))].sort(compareCodePoints)
  const benchmarks = [...new Set(runs.map(({ benchmark }) => benchmark))].sort(compareCodePoints)
  return {
    models,
    unranked,
    columns: benchmarks.map((benchmark) => {
      const own = runs.filter((run) => run.benchmark === benchmark)
      const { lowerIsBetter, range, isBinary = false } = own.flatMap(mainMetric)[0] ?? {}
      const scenarios = [...new Set(own.map(({ scenario }) => scenario))].sort(compareCodePoints)
      return {
        benchmark,
        isBinary,
        ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
        ...(range === undefined ? {} : { range }),
        strata: scenarios.map((scenario) =>
          stratumOf(
            own.filter((run) => run.scenario === scenario),
            models,
            scenarios.length > 1,
          ),
        ),
      }
    }),
  }
}

const unrankedCells = (runs: readonly ComparedRun[]): readonly UnrankedCell[] => {
  const cells = groupBy(runs, ({ benchmark, deployment }) => JSON.stringify([benchmark, deployment]))
  return [...cells.values()].flatMap((own) => {
    const [first] = own
    const coverage = first && underFloor(own, first.mainMetric)
    return coverage ? [{ benchmark: first.benchmark, deployment: first.deployment, coverage }] : []
  })
}

/** None where the run has no value of it. */
const mainMetric = ({ metrics, mainMetric }: ComparedRun): ComparedRun['metrics'] =>
  metrics.filter(({ name }) => name === mainMetric)

/** By model. All runs tell of their instances, also those that have no place in the column. */
const stratumOf = (
  runs: readonly ComparedRun[],
  models: readonly string[],
  isOneOfSeveral: boolean,
): AlignedVectors => {
  const own = models.map((model) => runs.find(({ deployment }) => deployment === model))
  return alignVectors(
    own.map((run) => run && alignedRun(run)),
    runs[0]?.benchmark,
    isOneOfSeveral,
  )
}

/** Without values where it has no place. */
const alignedRun = (run: ComparedRun): AlignableVector => {
  const { ids, clusters, values } = run
  const own = mainMetric(run).length === 0 ? undefined : values.get(run.mainMetric)
  return { ids, ...(clusters && { clusters }), ...(own && { values: own }) }
}
