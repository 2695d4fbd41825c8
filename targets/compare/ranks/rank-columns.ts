import { QuestionIds } from '../../runs/question-ids.ts'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { defined } from '../../../cache/values/defined.ts'
import { groupBy } from '../../../cache/lists.ts'
import { alignVectors, type AlignableVector, type AlignedVectors } from '../../runs/aligned-vectors.ts'
import { withIds } from '../../runs/instance-vector.ts'
import type { ComparedRun } from '../compared-run.ts'
import { meanOf, merge } from '../../tables/cells/trial-stat.ts'
import { atEnd, type Scale } from '../../statistics/scale.ts'
import { underFloor, type UnderFloor } from '../under-floor.ts'
import { countedRuns, type CountedRuns, type RankColumn } from './rank-column.ts'

/** A model that has no value in the column: it lacks runs that others have, or there is too little of its own. */
export interface UnrankedCell {
  readonly benchmark: string
  readonly deployment: string
  /** Runs that others are ranked by. */
  readonly missingRuns: number
  /** Runs none of whose answers could be read. */
  readonly emptyRuns: number
  /** Where it is under the benchmark's floor. */
  readonly coverage: UnderFloor | null
}

/** Runs that no model is ranked by, as too few have them. */
export interface LeftOutParts {
  readonly benchmark: string
  readonly scenarios: readonly string[]
}

interface RankColumns {
  readonly models: readonly string[]
  readonly columns: readonly RankColumn[]
  readonly unranked: readonly UnrankedCell[]
  readonly leftOut: readonly LeftOutParts[]
}

/** Runs of a suite by main metric, as ranking wants them: benchmarks × models. */
export const rankColumns = (all: readonly ComparedRun[]): RankColumns => {
  const cells = cellsOf(all)
  const unranked = cells.flatMap(unrankedCell)
  const runs = cells.flatMap(({ benchmark, deployment, counted }) =>
    unranked.some((cell) => benchmark === cell.benchmark && deployment === cell.deployment)
      ? counted.runs.map((run): ComparedRun => ({ ...run, metrics: [] }))
      : counted.runs,
  )
  const models = [...new Set(runs.map(({ deployment }) => deployment))].sort(compareCodePoints)
  const benchmarks = [...new Set(runs.map(({ benchmark }) => benchmark))].sort(compareCodePoints)
  return {
    models,
    unranked,
    leftOut: leftOutOf(cells),
    columns: benchmarks.map((benchmark) => {
      const own = runs.filter((run) => run.benchmark === benchmark)
      const { lowerIsBetter, range, isBinary = false } = own.flatMap(mainMetric)[0] ?? {}
      const scenarios = scenariosOf(cells.filter((cell) => cell.benchmark === benchmark))
      return defined({
        benchmark,
        isBinary,
        lowerIsBetter,
        range,
        helmScores: models.map((model) =>
          helmScore(
            own.filter(({ deployment }) => deployment === model),
            range,
          ),
        ),
        strata: scenarios.map((scenario) =>
          stratumOf(
            own.filter((run) => run.scenario === scenario),
            models,
            scenarios.length > 1,
          ),
        ),
      })
    }),
  }
}

/** A model's runs of a benchmark. */
interface Cell {
  readonly benchmark: string
  readonly deployment: string
  readonly counted: CountedRuns<ComparedRun>
}

const cellsOf = (all: readonly ComparedRun[]): readonly Cell[] =>
  [...groupBy(all, ({ benchmark }) => benchmark)].flatMap(([benchmark, runs]) => {
    const models = [...groupBy(runs, ({ deployment }) => deployment)]
    const counted = countedRuns(
      models.map(([, own]) => own),
      ({ scenario }) => scenario,
    )
    return models.flatMap(([deployment], at) => {
      const own = counted[at]
      return own === undefined ? [] : [{ benchmark, deployment, counted: own }]
    })
  })

/** Those that its models are ranked by; all where none is. */
const scenariosOf = (cells: readonly Cell[]): readonly string[] => {
  const whole = cells.filter(({ counted }) => counted.missing === 0)
  const runs = (whole.length === 0 ? cells : whole).flatMap(({ counted }) => counted.runs)
  return [...new Set(runs.map(({ scenario }) => scenario))].sort(compareCodePoints)
}

const leftOutOf = (cells: readonly Cell[]): readonly LeftOutParts[] =>
  [...groupBy(cells, ({ benchmark }) => benchmark)].flatMap(([benchmark, own]) => {
    const left = own.flatMap(({ counted }) => counted.leftOut.map(({ scenario }) => scenario))
    return left.length === 0 ? [] : [{ benchmark, scenarios: [...new Set(left)].sort(compareCodePoints) }]
  })

const unrankedCell = ({
  benchmark,
  deployment,
  counted: { runs, missing },
}: Cell): readonly UnrankedCell[] => {
  const metric = runs[0]?.mainMetric ?? ''
  const coverage = underFloor(runs, metric)
  const emptyRuns = runs.length < 2 ? 0 : runs.filter((run) => isEmpty(run, metric)).length
  return missing + emptyRuns === 0 && coverage === null
    ? []
    : [{ benchmark, deployment, missingRuns: missing, emptyRuns, coverage }]
}

const isEmpty = ({ ids, values }: ComparedRun, metric: string): boolean =>
  ids.length > 0 && values.get(metric)?.every((value) => Number.isNaN(value)) !== false

/** None where the run has no value of it. */
const mainMetric = ({ metrics, mainMetric }: ComparedRun): ComparedRun['metrics'] =>
  metrics.filter(({ name }) => name === mainMetric)

/** A model's mean over its runs as HELM forms it; undefined where anything is missing. */
const helmScore = (runs: readonly ComparedRun[], range: Scale | undefined): number | undefined => {
  const sums = runs
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .flatMap(({ helmSum, values, mainMetric }) =>
      helmSum === undefined || values.get(mainMetric)?.some(Number.isNaN) !== false ? [] : [helmSum],
    )
  const mean = sums.length < runs.length ? undefined : meanOf(merge(sums))
  return mean === undefined ? undefined : atEnd(mean, range)
}

/** By model. All runs tell of their instances, also those that have no place in the column. */
const stratumOf = (
  runs: readonly ComparedRun[],
  models: readonly string[],
  isOneOfSeveral: boolean,
): AlignedVectors => {
  const own = models.map((model) => runs.find(({ deployment }) => deployment === model))
  const names = new QuestionIds()
  const idsOf = ({ ids, instances }: ComparedRun): readonly string[] =>
    names.of(
      ids,
      instances.map(({ digest }) => digest),
    )
  return alignVectors(
    own.map((run) => run && withIds(alignedRun(run), idsOf(run))),
    runs[0]?.benchmark,
    isOneOfSeveral,
  )
}

/** Without values where it has no place. */
const alignedRun = (run: ComparedRun): AlignableVector => {
  const { ids, clusters, values, areMeans = false } = run
  const own = mainMetric(run).length === 0 ? undefined : values.get(run.mainMetric)
  return defined({ ids, areMeans, clusters, values: own })
}
