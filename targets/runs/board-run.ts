import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { defined } from '../../cache/values/defined.ts'
import type { BoardAccess } from '../access/suppress-small.ts'
import type { JuryExcess } from '../jury/study/calibrated-score.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import type { Causes, Coverage } from '../record/coverage.ts'
import type { RunFailure } from '../record/record.ts'
import type { BoardMetric } from './board-metric.ts'
import type { Sample } from './board-sample.ts'
import type { InstanceVector } from './instance-vector.ts'
import type { TrialStat } from '../tables/cells/trial-stat.ts'

export interface BoardModel {
  readonly name: string
  readonly deployment: string
  readonly displayName: string
  readonly creator: string
  /** `open`, `limited` or `closed` weights. */
  readonly access: string
}

export interface BoardBenchmark {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly access: BoardAccess
  /** Place in the taxonomy; absent where none was declared. */
  readonly category?: string
  readonly subcategory?: string
  readonly mainMetric: BoardMetric
  /** Least share of measured requests, 0 to 1, at which a model is ranked here. */
  readonly coverageFloor: number
}

/** A run's jury score as clinicians would give it, from the answers that they rated. */
export interface BoardCalibration {
  readonly value: number
  /** 95 %; null where the labels carry none. */
  readonly interval: Interval | null
  /** Answers that clinicians rated. */
  readonly labels: number
  /** What the jury gives more than clinicians, of the answers that this is said of; absent where no plan drew the labels. */
  readonly bias?: JuryExcess
  /** Answers that came after the draw of those, or have no score of the jury: nothing is said of them here. Absent without any. */
  readonly uncovered?: number
}

export interface BoardRun {
  readonly name: string
  readonly model: BoardModel
  readonly benchmark: BoardBenchmark
  readonly stats: readonly TrialStat[]
  readonly coverage: Coverage
  readonly causes: Causes
  /** Numbers that could not be computed, with the reason; absent where nothing tells. */
  readonly omitted?: readonly string[]
  /** The main metric's values, instance by instance. */
  readonly sample: Sample
  /** Instance by instance; absent where they are withheld. */
  readonly vector?: InstanceVector
  /** What instances share, such as a patient, where nothing tells which of them do. */
  readonly unnamedSources?: string
  /** Of runs whose main metric is the jury's score. */
  readonly calibrated?: BoardCalibration
  readonly failures: readonly Pick<RunFailure, 'stage' | 'code'>[]
}

type Described = Pick<
  Benchmark,
  'name' | 'displayName' | 'description' | 'access' | 'category' | 'subcategory'
>

/** What boards and run cards say of a benchmark alike. */
export const describeBenchmark = ({
  name,
  displayName,
  description,
  access,
  category,
  subcategory,
}: Described): Described => defined({ name, displayName, description, access, category, subcategory })
