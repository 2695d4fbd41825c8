import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { BoardUncertainty } from '../../targets/board/board-uncertainty.ts'
import type { Board } from '../../targets/board/board.ts'
import { writeWholeFile } from '../helm/write/staged-file.ts'

/** How sure the places on a release's boards are. What rests on withheld values can't be reckoned from its runs. */
export const RANKING_FILE = 'ranking.json'

const Interval = z.object({ low: z.number(), high: z.number() })

const Range = z.object({ marginal: Interval, simultaneous: Interval })

const Rank = z.object({
  winRate: Interval.nullable(),
  winRateLikeThese: Interval.nullable(),
  average: z
    .object({
      mean: z.number().nullable(),
      interval: Interval.nullable(),
      likeTheseInterval: Interval.nullable(),
      onThese: Range,
      likeThese: Range.nullable(),
      first: z.number(),
    })
    .nullable(),
  likeTheseReason: z.string(),
})

const RankingFile = z.object({
  suites: z.array(
    z.object({
      suite: z.string(),
      rows: z.array(
        z.object({
          deployment: z.string(),
          rank: Rank.nullable(),
          /** Benchmark → letters of the significance groups. */
          groups: z.record(z.string(), z.string()),
        }),
      ),
    }),
  ),
})

type Ranking = z.output<typeof RankingFile>
export type SuiteRanking = Ranking['suites'][number]

/**
 * By suite; empty where a release has none.
 * @throws ProblemError `release/bad-ranking`
 */
export const readRanking = async (bundle: string): Promise<ReadonlyMap<string, SuiteRanking>> => {
  const file = join(bundle, RANKING_FILE)
  if (!existsSync(file)) return new Map()
  try {
    const { suites } = RankingFile.parse(JSON.parse(await readFile(file, 'utf8')))
    return new Map(suites.map((suite) => [suite.suite, suite]))
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'release/bad-ranking',
        message: `${RANKING_FILE} is damaged: ${cause instanceof Error ? cause.message : String(cause)}`,
        where: { file },
        remedy: 'Get the release again from where it was published.',
      },
      { cause },
    )
  }
}

export const writeRanking = async (bundle: string, boards: readonly Board[]): Promise<void> => {
  const ranking: Ranking = { suites: boards.map(rankingOf) }
  await writeWholeFile(join(bundle, RANKING_FILE), [`${JSON.stringify(ranking, undefined, 1)}\n`])
}

const rankingOf = ({ suite, benchmarks, rows }: Board): SuiteRanking => ({
  suite,
  rows: rows.map(({ model, rank, cells }) => ({
    deployment: model.deployment,
    rank,
    groups: Object.fromEntries(cells.map(({ groups }, index) => [benchmarks[index]?.name ?? '', groups])),
  })),
})

/** What of a board's doubt its own values do not give, in words. */
export const untoldOf = (
  { suite, benchmarks, winRateColumns }: Board,
  lacking: ReadonlySet<string>,
): readonly string[] => {
  const columns = benchmarks.flatMap(({ name }) => (lacking.has(name) ? [name] : []))
  if (columns.length === 0) return []
  const places = winRateColumns.some((name) => lacking.has(name)) ? ' and all places' : ''
  return [`${suite}: the letters of ${columns.join(', ')}${places} rest on withheld values`]
}

/**
 * The doubt that a board's own values give, completed by what the release says of columns whose values it lacks.
 * @param lacking the benchmarks of these columns
 */
export const completeUncertainty = (
  { benchmarks, rows, winRateColumns }: Board,
  reckoned: BoardUncertainty,
  { told, lacking }: { readonly told: SuiteRanking | undefined; readonly lacking: ReadonlySet<string> },
): BoardUncertainty => {
  const byDeployment = new Map(told?.rows.map((row) => [row.deployment, row]))
  const lacksPlaces = winRateColumns.some((name) => lacking.has(name))
  return rows.map(({ model }, index) => {
    const own = reckoned[index]
    const carried = byDeployment.get(model.deployment)
    return {
      rank: (lacksPlaces ? carried?.rank : own?.rank) ?? null,
      groups: benchmarks.map(
        ({ name }, column) => (lacking.has(name) ? carried?.groups[name] : own?.groups[column]) ?? '',
      ),
    }
  })
}
