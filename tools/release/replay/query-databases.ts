import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import { fileDigest } from '../../../benchmarks/sources/read-text.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import { ProblemError, type Problem, reasonOf } from '../../../cache/problems/problem.ts'
import type { RunCard } from '../run-card.ts'
import { benchmarkHere } from './benchmark-here.ts'

interface LocatedDatabase {
  readonly path: string
  readonly digest: Digest<'file'>
}

/** By digest. */
export type Databases = ReadonlyMap<string, LocatedDatabase>

/**
 * The databases on which answers of a release's runs were executed: files that the user names, else the data of the
 * workspace's benchmarks. No release holds any.
 *
 * @throws ProblemError `release/no-database` for each that is not here byte for byte
 */
export const queryDatabases = async (
  cards: readonly RunCard[],
  named: readonly string[],
  context: BenchmarkContext,
): Promise<Databases> => {
  const found = new Map<string, LocatedDatabase>()
  for (const path of named) {
    const digest = await fileDigest(path, context.fileDigests).catch((cause: unknown) => {
      throw unreadable(path, cause)
    })
    found.set(digest, { path, digest })
  }
  const missing = new Map<string, Problem>()
  for (const { name, benchmark, database } of cards) {
    if (database === undefined || found.has(database.digest) || missing.has(database.digest)) continue
    const local = await databaseHere(name, context)
    if (local.file?.digest === database.digest) found.set(local.file.digest, local.file)
    else missing.set(database.digest, notHere(benchmark.name, database.digest, local))
  }
  if (missing.size > 0) throw new ProblemError([...missing.values()])
  return found
}

interface Here {
  readonly file?: LocatedDatabase
  /** Why there is none. */
  readonly reason?: string
}

const databaseHere = async (run: string, context: BenchmarkContext): Promise<Here> => {
  try {
    const { name, queries } = await benchmarkHere(run, context)
    const file = await queries?.locate()
    return file === undefined ? { reason: `${name} has no database here` } : { file }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { reason: error.problems[0]?.message ?? error.message }
  }
}

const notHere = (benchmark: string, digest: string, { file, reason }: Here): Problem => ({
  code: 'release/no-database',
  message: `the answers of ${benchmark} were run on the database with sha256 ${digest}; ${
    file === undefined ? `it is not here (${reason})` : `the one here is another, ${file.digest}`
  }`,
  ...(file === undefined ? {} : { where: { file: file.path } }),
  remedy: `Name its file with --database, or get it: \`medmake data fetch ${benchmark}\`.`,
})

const unreadable = (path: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'release/no-database',
      message: `${path} can't be read: ${reasonOf(cause)}`,
      where: { file: path, field: '--database' },
      remedy: 'Name the SQLite file on which the answers were run.',
    },
    { cause },
  )
