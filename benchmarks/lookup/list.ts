import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { defined } from '../../cache/values/defined.ts'
import { declaredAccess } from '../access/access.ts'
import { checkConfig, declareConfig } from '../configurable/config-file.ts'
import type { BenchmarkContext } from '../context/context.ts'
import type { About, Erratum, TaxonomyFields } from '../declaration/about.ts'
import { catalogEntries, catalogEntry, readEntry, type CatalogEntry } from './find.ts'
import { juryMetric } from '../declaration/build-benchmark.ts'
import type { Protocol } from '../declaration/schema.ts'
import { scaleOf } from '../judges/judges.ts'
import type { Access, ScoreScale } from '../scenario/benchmark.ts'

/** What a list or a page shows of a benchmark; absent fields were not declared. */
export interface BenchmarkSummary extends CatalogEntry {
  readonly displayName: string
  readonly shortDisplayName?: string
  readonly description: string
  readonly access: Access
  readonly category?: string
  readonly subcategory?: string
  readonly taxonomy?: TaxonomyFields
  readonly homepage?: string
  readonly size?: NonNullable<About['size']>
  readonly licence?: string
  readonly contact?: string
  /** Where size, licence and contact were looked up. */
  readonly checked?: NonNullable<About['checked']>
  readonly citation?: string
  readonly errata: readonly Erratum[]
  readonly mainMetric: { readonly name: string; readonly split: string }
  /** Of the first protocol; absent without a jury. */
  readonly jury?: SummaryJury
  /** Absent where the workspace's holds. */
  readonly coverageFloor?: number
  /** What its instances share, such as a patient. */
  readonly cluster?: string
  /** Run groups, the leaf that the leaderboard shows among them. */
  readonly groups: readonly string[]
  /** Protocol versions, the default first; none for a configurable benchmark. */
  readonly protocols: readonly string[]
  /** Why it can't be run here; absent where it can. */
  readonly needs?: string
  /** Names of the arguments that run entries may or must give. */
  readonly arguments: readonly string[]
}

export interface SummaryJury {
  /** Name of the jury's stat, and key of its annotations. */
  readonly metric: string
  readonly annotator: string
  readonly scale: ScoreScale
  /** Whether judges grade the items of each instance's own rubric. */
  readonly isGraded: boolean
}

/** The benchmark that a leaderboard calls so, by any of its names. */
export const benchmarkCalled = (
  name: string,
  benchmarks: readonly BenchmarkSummary[],
): BenchmarkSummary | undefined =>
  benchmarks.find((each) => [each.displayName, each.shortDisplayName, each.name].includes(name))

/** All benchmarks by name, and those apart of whose declaration nothing can be shown. */
interface BenchmarkList {
  readonly benchmarks: readonly BenchmarkSummary[]
  readonly faulty: readonly FaultyBenchmark[]
}

interface FaultyBenchmark {
  readonly name: string
  readonly problems: readonly Problem[]
}

/** All benchmarks of the workspace and the package, whatever is wrong with some. Reads declarations, no data. */
export const listReadable = async (context: Pick<BenchmarkContext, 'workspace'>): Promise<BenchmarkList> => {
  const benchmarks: BenchmarkSummary[] = []
  const faulty: FaultyBenchmark[] = []
  const entries = await catalogEntries(context)
  const read = await Promise.allSettled(entries.map((entry) => summaryOf(entry, context)))
  for (const [index, result] of read.entries()) {
    if (result.status === 'fulfilled') benchmarks.push(result.value)
    else if (result.reason instanceof ProblemError)
      faulty.push({ name: entries[index]?.name ?? '', problems: result.reason.problems })
    else throw result.reason
  }
  return { benchmarks, faulty }
}

/**
 * All of them, where what one declares may decide how a run is read.
 * @throws ProblemError with the faults of every declaration
 */
export const listBenchmarks = async (
  context: Pick<BenchmarkContext, 'workspace'>,
): Promise<readonly BenchmarkSummary[]> => {
  const { benchmarks, faulty } = await listReadable(context)
  if (faulty.length > 0) throw new ProblemError(faulty.flatMap(({ problems }) => problems))
  return benchmarks
}

/** One of them, whatever is wrong with others; undefined where there is none of that name. */
export const describeBenchmark = async (
  name: string,
  context: Pick<BenchmarkContext, 'workspace'>,
): Promise<BenchmarkSummary | undefined> => {
  const entry = catalogEntry(name, context)
  return entry && (await summaryOf(entry, context))
}

const summaryOf = async (
  entry: CatalogEntry,
  { workspace }: Pick<BenchmarkContext, 'workspace'>,
): Promise<BenchmarkSummary> => {
  const { document, declaration = declareConfig(checkConfig(document, true), document) } =
    await readEntry(entry)
  const { content } = declaration
  const [protocol] = content.protocols
  return {
    ...entry,
    ...shown(content, entry, workspace),
    mainMetric: protocol?.main_metric ?? { name: '', split: '' },
    ...(protocol?.jury === undefined ? {} : { jury: summaryJury(content.name, protocol.jury) }),
    groups: protocol?.groups ?? [content.name],
    protocols: content.protocols.flatMap(({ version }) => (version === '' ? [] : [version])),
    arguments: Object.keys(protocol?.arguments ?? {}),
    ...(content.needs === undefined ? {} : { needs: content.needs }),
  }
}

export const summaryJury = (benchmark: string, jury: NonNullable<Protocol['jury']>): SummaryJury => {
  const { annotator = benchmark, metric = juryMetric(annotator) } = jury
  return { annotator, metric, scale: scaleOf(jury.scale), isGraded: jury.grading !== undefined }
}

const shown = (about: About, { file }: CatalogEntry, workspace: string) =>
  defined({
    displayName: about.display_name ?? about.name,
    description: about.description,
    access: declaredAccess(about.access, file, workspace),
    errata: about.errata,
    coverageFloor: about.coverage_floor,
    cluster: about.cluster,
    shortDisplayName: about.short_display_name,
    category: about.category,
    subcategory: about.subcategory,
    taxonomy: about.taxonomy,
    homepage: about.homepage,
    size: about.size,
    licence: about.licence,
    contact: about.contact,
    checked: about.checked,
    citation: about.citation,
  })
