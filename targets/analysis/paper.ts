import { present } from '../../cache/lists.ts'
import { agreementRows, type AgreementRow } from './paper-agreement.ts'
import type { CostRow } from './paper-costs.ts'
import { categoryMeans } from './category-means.ts'
import type { ScoreTable } from './score-table.ts'
import { standings, type ModelStanding } from './standings.ts'
import type { Rating } from '../jury/study/ratings.ts'

/** A category's lowest and highest mean, over the models. */
interface CategoryRange {
  readonly category: string
  readonly benchmarks: number
  readonly low: number | null
  readonly high: number | null
}

/** The tables of the MedHELM paper (arXiv 2505.23802), as far as the data at hand give them. */
export interface Paper {
  /** Table 1. */
  readonly standings: readonly ModelStanding[]
  readonly benchmarks: number
  /** Benchmarks of the file that the paper leaves out. */
  readonly leftOut: readonly string[]
  readonly categories: readonly CategoryRange[]
  /** Table 2. */
  readonly agreement: readonly AgreementRow[]
  /** Table 3. */
  readonly costs: readonly CostRow[]
  /** What cannot be given, or departs from what is printed, and why. */
  readonly reasons: readonly PaperReason[]
}

interface PaperReason {
  readonly table: 1 | 2 | 3
  readonly about: string
  readonly reason: string
}

/** The public leaderboard holds 37 benchmarks, the paper 35. */
export const PAPER_LEAVES_OUT: ReadonlySet<string> = new Set(['medqa', 'medmcqa'])

/** Names as they stand in files of the paper: letters and digits alone tell. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** What a leaderboard's benchmark goes by on a board: two columns of one key would be one cell. */
export const benchmarkKey = (name: string, known: { readonly name: string } | undefined): string =>
  known?.name ?? (plainName(name) || name)

/** The columns that the paper has. */
export const withoutLeftOut = (table: ScoreTable): ScoreTable => ({
  ...table,
  columns: table.columns.filter(({ benchmark }) => !PAPER_LEAVES_OUT.has(plainName(benchmark))),
})

/** Benchmarks of Table 2, by run name. */
const RATED = ['aci_bench', 'medi_qa']

export const paperTables = (
  table: ScoreTable,
  { ratings, costs }: { readonly ratings: readonly Rating[]; readonly costs: readonly CostRow[] },
): Paper => {
  const kept = withoutLeftOut(table)
  const agreement = agreementRows(ratings, RATED)
  return {
    standings: standings(kept).map(({ standing }) => standing),
    benchmarks: kept.columns.length,
    leftOut: table.columns
      .filter((column) => !kept.columns.includes(column))
      .map(({ benchmark }) => benchmark),
    categories: categoryMeans(kept, ({ category }) => category).map(({ category, benchmarks, values }) => {
      const known = values.filter((value) => value !== null)
      const whole = known.length === values.length && known.length > 0
      return {
        category,
        benchmarks: benchmarks.length,
        low: whole ? Math.min(...known) : null,
        high: whole ? Math.max(...known) : null,
      }
    }),
    agreement,
    costs,
    reasons: [...scoreReasons(kept), ...agreementReasons(agreement, ratings), ...costReasons(costs)],
  }
}

const scoreReasons = ({ columns }: ScoreTable): readonly PaperReason[] => [
  {
    table: 1,
    about: 'last digits',
    reason:
      "win rates and means are formed of the scores of the file, which are rounded to three digits; a printed one can be .01 away, as is one of Claude Sonnet's two win rates of .636, printed .63",
  },
  ...(columns.length === 35
    ? [
        {
          table: 1 as const,
          about: 'category ranges',
          reason:
            'they are those of the second version of the paper, as is the public file; the first prints .78 to .83 for Patient Communication and Education, .73 to .85 for Clinical Note Generation and .56 to .72 for Clinical Decision Support',
        },
      ]
    : [
        {
          table: 1 as const,
          about: 'benchmarks',
          reason: `the paper has 35, this file ${columns.length} of them`,
        },
      ]),
]

const agreementReasons = (
  rows: readonly AgreementRow[],
  ratings: readonly Rating[],
): readonly PaperReason[] => {
  const there = new Set(rows.flatMap(({ benchmarks }) => benchmarks))
  const others = [...new Set(ratings.map(({ benchmark }) => benchmark))].filter(
    (name) => !RATED.includes(name),
  )
  return present(
    ...RATED.filter((name) => !there.has(name)).map((name) => ({
      table: 2 as const,
      about: name,
      reason: 'no ratings of it are at hand; name their file, too',
    })),
    rows.some(({ clinicians }) => clinicians !== null) && {
      table: 2 as const,
      about: 'clinicians',
      reason:
        "the printed baselines (.458, .426, .520) do not follow from the public ratings; what stands here is what these give by the paper's rule, the mean over all pairs with two answers in common",
    },
    rows.length > 0 &&
      rows.every(({ metrics }) => metrics.length === 0) && {
        table: 2 as const,
        about: 'ROUGE-L, BERTScore-F1',
        reason:
          'they need the texts of answers and references, which are not public; ratings may hold them as columns',
      },
    ...others.map((name) => ({
      table: 2 as const,
      about: name,
      reason: 'rated, but not in the paper; medmake agreement shows it',
    })),
  )
}

const costReasons = (rows: readonly CostRow[]): readonly PaperReason[] =>
  present(
    rows.length === 0 && {
      table: 3 as const,
      about: 'all',
      reason: 'no costs by benchmark are at hand; totals of all 37 cannot be parted into the 35 of the paper',
    },
    ...rows.flatMap(({ model, totalUsd }) =>
      totalUsd === null ? [{ table: 3 as const, about: model, reason: 'no list price is known' }] : [],
    ),
  )
