import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { groupBy, sumOver } from '../../cache/lists.ts'
import { addCauses, isCovered, sumCoverage, type Causes, type Coverage } from '../record/coverage.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import type { MeanFound } from '../statistics/intervals/mean-interval.ts'
import type { RankPlace } from '../compare/ranks/rank-place.ts'
import type { BoardBenchmark, BoardCalibration, BoardRun } from '../runs/board-run.ts'
import { exactMean } from '../statistics/exact-sum.ts'
import { atEnd } from '../statistics/scale.ts'
import { tiedScore } from '../statistics/mean.ts'
import { joined } from '../runs/board-sample.ts'
import { meanOf, merge } from '../tables/cells/trial-stat.ts'

/** Failed pieces of work of one kind. */
export interface FailureCount {
  readonly stage: string
  readonly code: string
  readonly count: number
}

/** What one model reached in one benchmark. */
export interface BoardCell extends Coverage {
  /**
   * Mean of the main metric over the runs, as HELM forms it; `score` where that is no number, as HELM's files may say, or
   * where HELM counts sub-splits the same, however many instances they hold; null where nothing was run or measured.
   */
  readonly value: number | null
  /**
   * What places and win rates go by: the mean over instances that could be read in full, runs counting the same. `value`
   * where nothing is missing; a default for lost judgements decides nothing.
   */
  readonly score: number | null
  /** 95 %; around the bounds where something is missing. */
  readonly interval: Interval | null
  /** How the interval was formed; empty without one. */
  readonly intervalMethod: string
  /** Why there is no interval, or what to mind about it; empty else. */
  readonly intervalReason: string
  /** Where the mean over all instances must lie; null where nothing is missing. */
  readonly bounds: Interval | null
  /** Instances with a value that could be read in full, of those asked. */
  readonly n: number
  readonly asked: number
  /** The coverage under which the cell is not ranked. */
  readonly floor: number
  /** Place among the column's ranked cells. */
  readonly place: RankPlace | null
  readonly failures: readonly FailureCount[]
  readonly causes: Causes
  /** Numbers that the runs lack as they could not be computed, with the reason. */
  readonly omitted: readonly string[]
  /** The jury's score as clinicians would give it; null where too few answers were rated, or several runs share the cell. */
  readonly calibrated: BoardCalibration | null
  /** Letters of the significance groups that the cell is in, like `ab`: cells that share one do not differ. */
  readonly groups: string
  /** Runs by which the benchmark's models are ranked and that this one lacks: its score is over other questions. Absent for none. */
  readonly missingRuns?: number
  /** Runs none of whose answers could be read: no mean over the others stands for them. Absent for none. */
  readonly emptyRuns?: number
  /** Names of the runs that the cell is over, sorted. */
  readonly runs: readonly string[]
  /** Names of runs that it leaves out, as too few models have them. Absent for none. */
  readonly leftOutRuns?: readonly string[]
  /** Means of all other metrics of the main metric's split, in the order of stats.json. */
  readonly metrics: readonly { readonly name: string; readonly value: number }[]
}

export const DEFAULT_COVERAGE_FLOOR = 0.99

/** Whether a cell takes part in places and win rates: it has the runs that others have, and enough of them. */
export const isRanked = (cell: BoardCell): boolean => cell.missingRuns === undefined && isMeasured(cell)

/** Whether all its runs have a value, and its coverage is not under its floor. */
export const isMeasured = (cell: BoardCell): boolean => cell.score !== null && isCovered(cell, cell.floor)

/** Whether anything was run; a board of means alone has no runs. */
export const isThere = ({ runs, value }: Pick<BoardCell, 'runs' | 'value'>): boolean =>
  runs.length > 0 || value !== null

/** Instances that its score is over, which may be none; null of a mean of which nobody tells the instances. */
export const scoredOf = ({ n, asked, value }: BoardCell): number | null =>
  asked === 0 && value !== null ? null : n

/** @param runs the runs of one model in one benchmark, sorted by name: sums of floats depend on the order */
export const boardCell = (
  runs: readonly BoardRun[],
  { mainMetric, coverageFloor }: BoardBenchmark,
): BoardCell => ({
  ...foundOver(runs, mainMetric),
  ...sumCoverage(runs.map(({ coverage }) => coverage)),
  floor: coverageFloor,
  place: null,
  failures: countFailures(runs),
  causes: addCauses(runs.map(({ causes }) => causes)),
  omitted: [...new Set(runs.flatMap(({ omitted = [] }) => omitted))],
  calibrated: runs.length === 1 ? (runs[0]?.calibrated ?? null) : null,
  groups: '',
  runs: runs.map(({ name }) => name),
  metrics: otherMetrics(runs, mainMetric),
})

/**
 * One column's cells. Judges' scores that are the same in another order add up to other last digits, and so do means of what
 * is left: of scores that are equal but for these, all take the digits of one, a whole cell's where there is any, as equal
 * scores must tie.
 */
export const withTies = (cells: readonly BoardCell[]): readonly BoardCell[] => {
  const known = cells
    .toSorted((a, b) => Number(a.n < a.asked) - Number(b.n < b.asked))
    .map(({ score }) => score)
  return cells.map((cell) => (cell.score === null ? cell : { ...cell, score: tiedScore(cell.score, known) }))
}

const foundOver = (runs: readonly BoardRun[], main: BoardBenchmark['mainMetric']) => {
  const [only] = runs
  const found = runs.length === 1 && only !== undefined ? only.sample.found : joinedOf(runs, main)
  const helms = meanOver(runs, main.name, main.split)
  const value = helms !== undefined && Number.isFinite(helms) ? helms : null
  const isSplit = runs.some((run) =>
    statsOf(run, main.name, main.split).some(({ name }) => name.subSplit !== undefined),
  )
  const total = sumOver(runs)
  const asked = total(({ sample }) => sample.found.n)
  const n = total(({ sample }) => sample.found.measured)
  // HELM's own digits where nothing is missing.
  const score = n === asked && !isSplit ? value && atEnd(value, main.range) : meanOfRuns(runs)
  const empty = runs.filter(({ sample }) => sample.found.n > 0 && sample.found.measured === 0).length
  return {
    value: helms === undefined ? null : isSplit ? (score ?? value) : (value ?? score),
    score,
    interval: found?.interval ?? null,
    intervalMethod: found?.method ?? '',
    intervalReason: found === undefined ? 'values are withheld' : doubtOf(found, runs),
    bounds: found?.bounds ?? null,
    n,
    asked,
    ...(empty > 0 && runs.length > 1 && { emptyRuns: empty }),
  }
}

const doubtOf = ({ interval, reason }: MeanFound, runs: readonly BoardRun[]): string => {
  const shared = runs.flatMap(({ unnamedSources = [] }) => unnamedSources)[0]
  return [
    reason,
    interval === null || shared === undefined
      ? ''
      : `too narrow: instances share a ${shared}, and the files do not tell which`,
  ]
    .filter((part) => part !== '')
    .join('; ')
}

/** Null where nothing of a run could be read: the others' mean is over other questions. */
const meanOfRuns = (runs: readonly BoardRun[]): number | null => {
  const means = runs.flatMap(({ sample }) => sample.found.mean ?? [])
  return means.length < runs.length ? null : exactMean(means)
}

const joinedOf = (runs: readonly BoardRun[], main: BoardBenchmark['mainMetric']): MeanFound | undefined =>
  runs.length === 0
    ? undefined
    : joined(
        runs.map(({ vector }) => vector),
        main,
      )

const statsOf = (run: BoardRun, name: string, split: string): BoardRun['stats'] =>
  run.stats.filter(
    (stat) => stat.name.name === name && stat.name.split === split && stat.name.perturbation === undefined,
  )

/** The unweighted mean of the runs' means (HELM.md T21). */
const meanOver = (runs: readonly BoardRun[], name: string, split: string): number | undefined =>
  meanOf(merge(runs.flatMap((run) => statsOf(run, name, split))))

const countFailures = (runs: readonly BoardRun[]): readonly FailureCount[] =>
  [
    ...groupBy(
      runs.flatMap(({ failures }) => failures),
      ({ stage, code }) => `${stage} ${code}`,
    ).values(),
  ]
    .flatMap((own) => own.slice(0, 1).map(({ stage, code }) => ({ stage, code, count: own.length })))
    .sort((a, b) => compareCodePoints(a.stage, b.stage) || compareCodePoints(a.code, b.code))

const otherMetrics = (
  runs: readonly BoardRun[],
  main: { readonly name: string; readonly split: string },
): BoardCell['metrics'] => {
  const byName = groupBy(
    runs.flatMap(({ stats }) => stats),
    ({ name: { name, split, perturbation } }) =>
      split !== main.split || perturbation !== undefined || name === main.name ? undefined : name,
  )
  return [...byName].flatMap(([name, stats]) => {
    const value = meanOf(merge(stats))
    return value === undefined || !Number.isFinite(value) ? [] : [{ name, value }]
  })
}
