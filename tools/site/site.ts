import type { Taxonomy } from '../../benchmarks/taxonomy.ts'
import type { BoardCell, FailureCount } from '../../targets/board/board-cell.ts'
import type { BoardAccess } from '../../targets/access/suppress-small.ts'
import type { BoardModel } from '../../targets/runs/board-run.ts'
import type { SpentTask } from '../../targets/board/board-cost.ts'
import type { SubgroupRow, Subgroups } from '../../targets/board/board-subgroups.ts'
import type { BoardValues } from '../../targets/board/board-columns.ts'
import type { ColumnPairs } from '../../targets/board/board-pairs.ts'
import type { Board } from '../../targets/board/board.ts'
import type { Dropout } from '../../targets/jury/study/dropout.ts'
import type { Coverage } from '../../targets/record/coverage.ts'
import type { JudgeCoverage } from '../../targets/jury/judge-coverage.ts'
import type { BenchmarkAbout } from './about/benchmark-about.ts'
import type { ModelAbout } from './about/model-about.ts'
import type { InstanceView } from './pages/run/instances/instance-view.ts'
import type { ReleaseNotes } from './about/release-notes.ts'
import type { SiteJudges } from './content/stored-judges.ts'
import type { ValuedInstances } from './history/run-values.ts'
import type { EarlierRelease } from './history/snapshot.ts'
import type { SpentLine } from './content/spent-lines.ts'

/** Raised when the same results give other pages. */
export const SITE_VERSION = 38

/** What a run's page says above its instances: plain JSON. */
export interface RunFacts {
  readonly suite: string
  readonly name: string
  readonly model: BoardModel
  readonly benchmark: {
    readonly name: string
    readonly displayName: string
    readonly access: BoardAccess
    readonly mainMetric: string
    readonly mainMetricLabel: string
    /** The score of a wrong answer, where every score is right or wrong. */
    readonly wrongScore?: number
  }
  /** The main metric's mean with its 95 % interval, and how many instances could be read in full. */
  readonly score: Pick<BoardCell, 'value' | 'score' | 'interval' | 'n' | 'asked' | 'calibrated'>
  /** Requests, and what of them was not measured. */
  readonly coverage: Coverage & Pick<BoardCell, 'floor' | 'causes'>
  /** How far each judge's replies count, in the jury's order; empty without a jury. */
  readonly judges: readonly JudgeCoverage[]
  /** What the model's and the judges' replies took; empty where the run's files do not tell. */
  readonly spent: readonly SpentLine[]
  /** Run spec, label and value. */
  readonly spec: readonly (readonly [label: string, value: string])[]
  readonly metrics: readonly {
    readonly name: string
    /** Its name for readers. */
    readonly label: string
    readonly split: string
    readonly value: number
    readonly isCount: boolean
  }[]
  readonly failures: readonly FailureCount[]
  /** The first few in full; none where instances are not public, for details quote prompts. */
  readonly failureDetails: readonly {
    readonly instance: string
    readonly stage: string
    readonly judge?: string
    readonly code: string
    readonly detail: string
  }[]
  /** Scores by attribute; absent where there are none, or where the model has other runs of the benchmark. */
  readonly subgroups?: readonly (Pick<Subgroups, 'attribute' | 'groups' | 'withheld'> & {
    readonly row: SubgroupRow
  })[]
  /** Digest of whatever else the page depends on: the record. */
  readonly source: string
  /** Digests of its key and of its prompts, answers, judgements and values; absent of files of another program. */
  readonly made?: { readonly target: string; readonly rows: string }
}

export interface SiteRun {
  readonly facts: RunFacts
  /** Undefined where instances are not public. Read only when the page is written. */
  readonly instances?: () => AsyncIterable<InstanceView<string>>
  /** A prompt as the model got it; likewise. */
  readonly prompt?: () => Promise<string | undefined>
  /** By which later releases know its instances again; likewise, and no site tells any of what is not public. */
  readonly values?: () => Promise<ValuedInstances | undefined>
}

export interface SiteSuite {
  readonly board: Board
  readonly runs: readonly SiteRun[]
  /** Of the benchmarks with a jury; absent where files of another program are shown. */
  readonly dropout?: readonly Dropout[]
  /** Of the benchmarks with a jury: how its judges agree and lean. */
  readonly judges?: readonly SiteJudges[]
  /** How the models of each benchmark differ, where their values are at hand. */
  readonly pairs?: readonly ColumnPairs[]
  /** The main metrics' values, instance by instance, of the runs of which they may be told. */
  readonly values?: readonly BoardValues[]
  /** The same of each category and subcategory alone, where instances are at hand. */
  readonly tasks?: readonly SpentTask[]
  /** Scores by what is known of the instances, such as the patient's sex. */
  readonly subgroups?: readonly Subgroups[]
  /** What is known of benchmarks and models besides their results. */
  readonly benchmarks?: readonly BenchmarkAbout[]
  readonly models?: readonly ModelAbout[]
  /** What medical work there is, and the benchmarks that could be run. */
  readonly taxonomy?: Taxonomy
  readonly catalog?: readonly CatalogBenchmark[]
  /** Earlier releases of it, the oldest first. */
  readonly history?: readonly EarlierRelease[]
  /** What `SiteRun.values` gives, by run, while pages are written. */
  readonly runValues?: ReadonlyMap<string, ValuedInstances>
  /** Where the suite is shown within a release. */
  readonly release?: ReleaseNotes
}

/** A benchmark that is declared, run or not; places are empty where none is declared. */
interface CatalogBenchmark {
  readonly name: string
  readonly displayName: string
  readonly category: string
  readonly subcategory: string
}

/** Prebuilt files that every page loads. */
export interface SiteAssets {
  readonly script: string
  /** Of pages that show answers. */
  readonly answers: string
  readonly style: string
}
