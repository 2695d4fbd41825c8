import type { Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { Place } from '../../cache/problems/problem.ts'
import type { PyValue } from '../python/value.ts'
import type { AdapterSpec } from './adapter-spec.ts'
import type { AnnotatorCode, MetricCode } from './metric-code.ts'
import type { Instance } from './instance.ts'

export type Access = 'public' | 'gated' | 'private'

/** HELM's ObjectSpec: what run_spec.json names. */
export interface ObjectSpec {
  readonly className: string
  readonly args: ReadonlyMap<string, PyValue>
}

/** One judge of a jury; `name` is the key that HELM's annotations carry. */
export interface Judge {
  readonly name: string
  readonly model: string
  readonly deployment: string
  /** What names it, for problems. */
  readonly where?: Place
}

/** The scores that a rubric lets a judge give, ends included. */
export interface ScoreScale {
  readonly least: number
  readonly most: number
}

/** How judges grade an answer by its instance's own rubric: one request an item, for whether it is met. */
export interface ItemGrading {
  /** As HealthBench's authors do it, or as medhelm 0.8.0 does (targets/HELM.md T27). */
  readonly style: 'health-bench' | 'medhelm-0.8'
  /** What each judge is asked besides: to hold the answer against the physician's that the instance brings. */
  readonly comparison?: string
}

/** A jury: which judges read which rubric and what their replies must hold. */
export interface Jury {
  /** Key of the annotation, HELM's annotator name. */
  readonly annotator: string
  /** The rubric with the placeholders {QUESTION}, {RESPONSE}, {GOLD_RESPONSE}; the prompt for an item where items are graded. */
  readonly template: string
  /** Criterion name → keys that each criterion's object must hold, in order. */
  readonly criteria: ReadonlyMap<string, readonly string[]>
  /** No score is cut to it: what lies outside is told. */
  readonly scale: ScoreScale
  readonly judges: readonly Judge[]
  /** Absent where one rubric holds for all instances. */
  readonly grading?: ItemGrading
}

export interface GoldQueries {
  /** Stands in the query for `current_time`. */
  readonly currentTime?: string
  /** `values`: where the query gives no rows, the values of the instance's `value` stand for them. */
  readonly noRows: 'values' | 'stay'
  /** `rows`: a query that fails gives no rows; `fail`: there is nothing to compare with then. */
  readonly errors: 'rows' | 'fail'
}

/** The database on which gold and predicted queries are run. */
interface QueryDatabase {
  /** Key of the annotation, HELM's annotator name. */
  readonly annotator: string
  /** How the gold query is run, where it is run otherwise than helm-0.5.16 does. */
  readonly gold?: GoldQueries
  /** A SQLite file. Costs a stat when nothing changed. @throws ProblemError when it is missing */
  locate(): Promise<{ readonly path: string; readonly digest: Digest<'file'> }>
}

/** What of a benchmark's errata a run puts right, by their ids. */
export interface Corrections {
  readonly corrected: readonly string[]
  /** Asked for too, but nothing here puts these right. */
  readonly uncorrected: readonly string[]
}

/** One metric object of a run, by our id; HELM's class name is `helm.className`. */
export interface MetricSpec {
  /** `basic_generation`, `basic_reference`, `instances_per_split`, `summarization`, `llm_jury`, … */
  readonly metric: string
  /** What HELM's run_spec.json names and what the metric reads its arguments from. */
  readonly helm: ObjectSpec
  /** What this workspace computes BERTScore with, as far as it alters a score; absent where it computes none. */
  readonly bertScore?: JsonObject
  /** Errata of the benchmark that the run puts right; absent: none. */
  readonly corrected?: readonly string[]
  /** Absent for built-in metrics. */
  readonly code?: MetricCode
  /** Of a metric of the workspace's code: its benchmark's own annotators, without which nothing is measured. */
  readonly needs?: readonly string[]
}

/** What is known of instances beside what is asked, such as the patient's sex. */
export interface Attribute {
  readonly name: string
  /** Of the data, or a name that the benchmark's own code gives; an argument's name where there is such an argument. */
  readonly column: string
  /** A regular expression: the group is what its first bracket, or all of it, finds in the cell. */
  readonly pattern?: string
  /** Rising edges between groups of numbers. */
  readonly bands?: readonly number[]
}

/**
 * A benchmark with its arguments and protocol version fixed: everything a target needs to know of it.
 * Building one reads declarations only; data is read when `instances` is iterated.
 */
export interface Benchmark {
  /** Name in run entries, e.g. `pubmed_qa`. */
  readonly name: string
  /** Start of HELM's run name, before expanders, e.g. `head_qa:language=en,category=None`. */
  readonly runName: string
  readonly displayName: string
  readonly description: string
  readonly access: Access
  /** Why that is not the access that its declaration says, as in `… is private, for …`; absent where it is. */
  readonly accessReason?: string
  /** Its own data, full paths: files, or folders of them. Absent: all of it is downloaded. */
  readonly data?: readonly string[]
  /** Place in the taxonomy; absent where none is declared. */
  readonly category?: string
  readonly subcategory?: string
  /** What scenario.json and run_spec.json show. */
  readonly scenario: {
    readonly spec: ObjectSpec
    readonly name: string
    readonly description: string
    readonly tags: readonly string[]
    readonly definitionPath: string
  }
  readonly adapter: AdapterSpec
  readonly metrics: readonly MetricSpec[]
  readonly jury?: Jury
  readonly queries?: QueryDatabase
  /** The workspace's own, in their order; absent where it names none. */
  readonly ownAnnotators?: readonly AnnotatorCode[]
  /** `annotators` of run_spec.json; undefined leaves the field out, as HELM does where the run spec sets none. */
  readonly annotators?: readonly ObjectSpec[]
  /** Absent where all errata are reproduced, as HELM has them. */
  readonly errata?: Corrections
  /** Cells of its table are read as pandas reads them because the program does so, not because its file says it. */
  readonly readAsPandas?: true
  /** The workspace declares it: its rows can be mended here. */
  readonly isOwn?: true
  readonly groups: readonly string[]
  readonly mainMetric: { readonly name: string; readonly split: string }
  /** Least share of measured requests, 0 to 1, at which a model is ranked; absent: the workspace's. */
  readonly coverageFloor?: number
  /** Loss of the main metric, in its own units, that a change may bring; absent: the workspace's, or none is declared. */
  readonly margin?: number
  /** What instances with the same `cluster` share: note, patient. */
  readonly cluster?: string
  /** By which scores are shown apart; absent where none is declared. */
  readonly attributes?: readonly Attribute[]
  /** Files, and folders of data, whose change means another benchmark, workspace-relative: inputs of the Nx target. */
  readonly files: readonly string[]
  /**
   * The key of the instances stage: benchmark id, protocol version, loader version, arguments, digests of data and
   * prompt files, errata. Costs a stat per file when nothing changed.
   * @throws ProblemError when data is missing.
   */
  identity(): Promise<JsonObject>
  /**
   * Reads the data.
   * @param onSkipped told of each row that is left out, where the context says to skip bad ones
   * @throws ProblemError with file, row and column for what can't be read
   */
  instances(onSkipped?: (row: SkippedRow) => void): AsyncIterable<Instance>
}

/** A row of data that a run goes without, all of it or a part. It holds no text of the row. */
export interface SkippedRow {
  /** Relative to the workspace; the name alone of a file outside of it. */
  readonly file: string
  readonly row?: number
  readonly line?: number
  readonly column?: string
  /** The problem's code without its room, e.g. `ragged-row`. */
  readonly reason: string
  /** It is used as far as it was read. */
  readonly isPart?: true
}
