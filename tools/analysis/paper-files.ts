import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Table } from '../../benchmarks/sources/table.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { isRatings } from '../../targets/jury/study/ratings.ts'
import { isCosts } from './costs-file.ts'
import { readGivenFile } from './given-file.ts'
import { isLeaderboard } from './leaderboard-file.ts'

/** The public files of the paper, told apart by their columns. */
interface PaperFiles {
  readonly leaderboard: Table
  readonly costs: readonly Table[]
  readonly ratings: readonly Table[]
  /** Those that nobody named: they lie beside the leaderboard. */
  readonly found: readonly string[]
}

/**
 * The leaderboard among the files, with costs and ratings; where none of these is named, those of its folder.
 * @throws ProblemError `analysis/no-leaderboard`, and as tables do
 */
export const readPaperFiles = async (
  names: readonly string[],
  { cwd, warn }: { readonly cwd: string; readonly warn: (text: string) => void },
): Promise<PaperFiles> => {
  const named = await Promise.all(names.map(async (name) => readGivenFile(resolve(cwd, name), 'table', warn)))
  const leaderboard = named.find(isLeaderboard)
  if (leaderboard === undefined) throw noLeaderboard(names)
  const beside = await tablesBeside(leaderboard.file, new Set(named.map(({ file }) => file)))
  const costs = chosen(isCosts, named, beside)
  const ratings = chosen(isRatings, named, beside)
  return {
    leaderboard,
    costs,
    ratings,
    found: [...costs, ...ratings].filter((table) => !named.includes(table)).map(({ file }) => file),
  }
}

const chosen = (
  is: (table: Table) => boolean,
  named: readonly Table[],
  beside: readonly Table[],
): readonly Table[] => {
  const given = named.filter(is)
  return given.length > 0 ? given : beside.filter(is)
}

/** Other tables of the folder; what cannot be read as one is none of ours. */
const tablesBeside = async (file: string, known: ReadonlySet<string>): Promise<readonly Table[]> => {
  const folder = dirname(file)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.csv')).toSorted()
  const tables = await Promise.all(
    names
      .map((name) => join(folder, name))
      .filter((path) => !known.has(path))
      .map(async (path) =>
        readGivenFile(path, 'table').catch((error: unknown) => {
          if (error instanceof ProblemError) return undefined
          throw error
        }),
      ),
  )
  return tables.filter((table) => table !== undefined)
}

const noLeaderboard = (names: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'analysis/no-leaderboard',
    message:
      names.length === 0 ? 'no leaderboard file is named' : `none of ${names.join(', ')} is a leaderboard`,
    remedy: 'Name a table with the columns Model,Mean win rate,<benchmark> - <metric>,…',
  })
