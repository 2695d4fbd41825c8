import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { sideBySide } from '../../cache/lists.ts'
import type { BenchmarkContext } from '../context/context.ts'
import { argumentChoices } from './argument-choices.ts'
import { isFetchable } from './data-status.ts'
import { protocolFor } from '../declaration/read-declaration.ts'
import type { Protocol } from '../declaration/schema.ts'
import { catalogEntries, catalogEntry, findBenchmark, readEntry, type CatalogEntry } from './find.ts'

interface FetchResult {
  readonly name: string
  /** Why its data is not here; none when all of it is. */
  readonly problems: readonly Problem[]
}

/** Benchmarks whose data is fetched at the same time. */
const AT_ONCE = 4

/**
 * Downloads the data of the named benchmarks, of all whose data lies on the web where none is named. What is here
 * already is checked and left, what was begun is continued; one that fails does not stop the others.
 *
 * @throws ProblemError `benchmarks/unknown`; the reason of an interruption
 */
export const fetchData = async (
  context: BenchmarkContext,
  names: readonly string[],
): Promise<readonly FetchResult[]> => {
  const entries = await catalogEntries(context)
  for (const name of names)
    if (!entries.some((entry) => entry.name === name)) await findBenchmark(name, new Map(), context)
  const results: FetchResult[] = []
  const wanted = entries.filter(({ name }) => names.length === 0 || names.includes(name))
  await sideBySide(wanted, AT_ONCE, async (entry) => {
    const result = await fetchOne(entry, names.length > 0, context)
    if (result !== undefined) results.push(result)
  })
  return results.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Undefined for data that is not on the web, unless it was asked for by name. */
const fetchOne = async (
  entry: CatalogEntry,
  named: boolean,
  context: BenchmarkContext,
): Promise<FetchResult | undefined> => {
  const { name } = entry
  try {
    const protocol = await protocolOf(entry, context)
    if (!named && !isFetchable(protocol)) return undefined
    for (const args of argumentChoices(protocol)) await (await findBenchmark(name, args, context)).identity()
    return { name, problems: [] }
  } catch (error) {
    if (!(error instanceof ProblemError) || context.signal.aborted) throw error
    return { name, problems: error.problems }
  }
}

/** How a benchmark is asked; undefined in the simple form. */
const protocolOf = async (
  entry: CatalogEntry,
  { protocol }: Pick<BenchmarkContext, 'protocol'>,
): Promise<Protocol | undefined> => {
  const { declaration } = await readEntry(entry)
  return declaration && protocolFor(declaration.content, protocol)
}

/**
 * Hosts that a benchmark's data comes from, sorted; each may redirect to where its publisher keeps files. None where all
 * data is the user's own. With a mirror none is contacted: the caller knows.
 */
export const sourceHosts = async (
  name: string,
  context: Pick<BenchmarkContext, 'workspace' | 'protocol'>,
): Promise<readonly string[]> => {
  const entry = catalogEntry(name, context)
  const protocol = entry && (await protocolOf(entry, context))
  return [...new Set(Object.values(protocol?.data ?? {}).flatMap(hostsOf))].toSorted()
}

const hostsOf = ({ url, hugging_face: hub, github_folder: folder }: Protocol['data'][string]): string[] => {
  if (hub !== undefined) return ['huggingface.co']
  return [url, folder?.listing, folder?.files].flatMap((address) =>
    address !== undefined && URL.canParse(address) ? [new URL(address).hostname] : [],
  )
}
