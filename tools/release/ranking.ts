import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readFile } from '../../cache/files/read.ts'
import type { Subgroups } from '../../targets/board/board-subgroups.ts'
import { writeWholeFile } from '../helm/write/staged-file.ts'
import type { SiteSuite } from '../site/site.ts'
import { badRelease } from './bad-release.ts'
import type { Fixed } from '../../cache/values/json.ts'
import { reasonOf } from '../../cache/problems/problem.ts'

/** How sure the places on a release's boards are. What rests on withheld values can't be reckoned from its runs. */
export const RANKING_FILE = 'ranking.json'

const Interval = z.object({ low: z.number(), high: z.number() })

const Range = z.object({ marginal: Interval, simultaneous: Interval })

const Rank = z.object({
  winRate: Interval.nullable(),
  winRateLikeThese: Interval.nullable(),
  average: z
    .object({
      /** Where releases of before told it. */
      interval: Interval.nullable().exactOptional(),
      likeTheseInterval: Interval.nullable(),
      onThese: Range,
      likeThese: Range.nullable(),
      first: z.number().nullable(),
    })
    .nullable(),
  /** Stretches of the file's own rows. */
  behind: z.array(z.int()).readonly().exactOptional(),
  likeTheseReason: z.string(),
  untold: z
    .object({ oneSource: z.array(z.string()).readonly(), unshared: z.array(z.string()).readonly() })
    .exactOptional(),
})

const Gap = z
  .object({ high: z.int(), low: z.int(), difference: z.number(), interval: Interval.nullable() })
  .nullable()

const BySubgroup = z.object({
  benchmark: z.string(),
  attribute: z.string(),
  groups: z.array(z.string()),
  withheld: z.int(),
  gaps: z.int(),
  rows: z.array(
    z.object({
      deployment: z.string(),
      scores: z.array(
        z
          .object({
            asked: z.int(),
            n: z.int(),
            value: z.number().nullable(),
            interval: Interval.nullable(),
            method: z.string(),
          })
          .nullable(),
      ),
      widest: Gap,
      surest: Gap,
    }),
  ),
})

const RankingFile = z.object({
  suites: z.array(
    z.object({
      suite: z.string(),
      rows: z.array(
        z.object({
          deployment: z.string(),
          /** Absent in older releases. */
          average: Interval.nullable().exactOptional(),
          rank: Rank.nullable(),
          /** Benchmark → letters of the significance groups. */
          groups: z.record(z.string(), z.string()),
        }),
      ),
      /** Scores by attribute of the benchmarks whose values are withheld; absent in older releases. */
      subgroups: z.array(BySubgroup).exactOptional(),
    }),
  ),
})

type Ranking = Fixed<z.output<typeof RankingFile>>
type Suite = Ranking['suites'][number]

/** What the file says of a suite, the averages' intervals wherever they stood. */
export interface SuiteRanking extends Omit<Suite, 'rows'> {
  readonly rows: readonly (Suite['rows'][number] & { readonly average: z.output<typeof Interval> | null })[]
}

/**
 * By suite; empty where a release has none.
 * @throws ProblemError `release/bad-ranking`
 */
export const readRanking = async (bundle: string): Promise<ReadonlyMap<string, SuiteRanking>> => {
  const file = join(bundle, RANKING_FILE)
  if (!existsSync(file)) return new Map()
  try {
    const { suites } = RankingFile.parse(JSON.parse(await readFile(file, 'utf8')))
    return new Map(
      suites.map((suite) => [
        suite.suite,
        {
          ...suite,
          rows: suite.rows.map((row) => ({
            ...row,
            average: row.average ?? row.rank?.average?.interval ?? null,
          })),
        },
      ]),
    )
  } catch (cause) {
    throw badRelease(
      'release/bad-ranking',
      `${RANKING_FILE} is damaged: ${reasonOf(cause)}`,
      { file },
      { cause },
    )
  }
}

/** @param withheld benchmarks of which the release holds no values */
export const writeRanking = async (
  bundle: string,
  suites: readonly Pick<SiteSuite, 'board' | 'subgroups'>[],
  withheld: ReadonlySet<string>,
): Promise<void> => {
  const ranking = { suites: suites.map((suite) => rankingOf(suite, withheld)) }
  await writeWholeFile(join(bundle, RANKING_FILE), [`${JSON.stringify(ranking, undefined, 1)}\n`])
}

const rankingOf = (
  { board: { suite, benchmarks, rows }, subgroups = [] }: Pick<SiteSuite, 'board' | 'subgroups'>,
  withheld: ReadonlySet<string>,
): SuiteRanking => ({
  suite,
  rows: rows.map(({ model, averageInterval, rank, cells }) => ({
    deployment: model.deployment,
    average: averageInterval,
    rank,
    groups: Object.fromEntries(cells.map(({ groups }, index) => [benchmarks[index]?.name ?? '', groups])),
  })),
  ...toldSubgroups(subgroups.filter(({ benchmark }) => withheld.has(benchmark))),
})

const toldSubgroups = (told: readonly Subgroups[]): Pick<SuiteRanking, 'subgroups'> =>
  told.length === 0 ? {} : { subgroups: told }
