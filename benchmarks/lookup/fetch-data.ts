import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../context/context.ts'
import { argumentChoices, isFetchable } from './data-status.ts'
import { checkDeclaration, readDeclarationYaml } from '../declaration/read-declaration.ts'
import { catalogEntries, findBenchmark, isConfigurable, type CatalogEntry } from './find.ts'

export interface FetchResult {
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
  const queue = entries.filter(({ name }) => names.length === 0 || names.includes(name)).values()
  const work = async (): Promise<void> => {
    for (const entry of queue) {
      const result = await fetchOne(entry, names.length > 0, context)
      if (result !== undefined) results.push(result)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Undefined for data that is not on the web, unless it was asked for by name. */
const fetchOne = async (
  entry: CatalogEntry,
  named: boolean,
  context: BenchmarkContext,
): Promise<FetchResult | undefined> => {
  const { name } = entry
  const document = await readDeclarationYaml(entry.file)
  const protocols = isConfigurable(document) ? [] : checkDeclaration(document).content.protocols
  const protocol = protocols.find(({ version }) => version === context.protocol) ?? protocols[0]
  if (!named && !isFetchable(protocol)) return undefined
  try {
    for (const args of argumentChoices(protocol)) await (await findBenchmark(name, args, context)).identity()
    return { name, problems: [] }
  } catch (error) {
    if (!(error instanceof ProblemError) || context.signal.aborted) throw error
    return { name, problems: error.problems }
  }
}
