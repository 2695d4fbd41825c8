import { benchmarkCalled, type BenchmarkSummary } from '../../benchmarks/lookup/list.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Leaderboard } from './leaderboard-file.ts'

/** What of a leaderboard is wanted; undefined: all. */
interface ScoreChoice {
  /** As the file names them. */
  readonly models: readonly string[] | undefined
  /** Benchmarks, by their names, display names or run groups, or categories. */
  readonly groups: readonly string[] | undefined
}

/**
 * A leaderboard's chosen models and benchmarks. Its own win rates are of other models or benchmarks, then, and left out.
 * @throws ProblemError `analysis/unknown-model`, `analysis/unknown-group` for what is not in the file
 */
export const chooseScores = (
  { table, winRates }: Leaderboard,
  { models, groups }: ScoreChoice,
  { file, benchmarks }: { readonly file: string; readonly benchmarks: readonly BenchmarkSummary[] },
): Leaderboard => {
  const namesOf = ({ benchmark, category }: Leaderboard['table']['columns'][number]): readonly string[] => {
    const known = benchmarkCalled(benchmark, benchmarks)
    return [
      benchmark,
      ...(known === undefined ? [] : [known.name, known.displayName, ...known.groups]),
      ...(category === undefined ? [] : [category]),
    ]
  }
  refuseUnknown(models ?? [], table.models, { kind: 'model', flag: '--models-to-run', file })
  refuseUnknown(groups ?? [], table.columns.flatMap(namesOf), {
    kind: 'group',
    flag: '--groups-to-run',
    file,
  })
  const rows = table.models.flatMap((model, row) =>
    models === undefined || models.includes(model) ? [row] : [],
  )
  const isChosen = (column: Leaderboard['table']['columns'][number]): boolean =>
    groups === undefined || namesOf(column).some((name) => groups.includes(name))
  return {
    table: {
      models: rows.map((row) => table.models[row] ?? ''),
      columns: table.columns.filter(isChosen).map((column) => ({
        ...column,
        values: rows.map((row) => column.values[row] ?? null),
      })),
    },
    winRates: models === undefined && groups === undefined ? winRates : rows.map(() => null),
  }
}

const refuseUnknown = (
  wanted: readonly string[],
  known: readonly string[],
  { kind, flag, file }: { readonly kind: 'model' | 'group'; readonly flag: string; readonly file: string },
): void => {
  const strange = wanted.find((name) => !known.includes(name))
  if (strange === undefined) return
  throw new ProblemError({
    code: `analysis/unknown-${kind}`,
    message: `the file has no ${kind} ${JSON.stringify(strange)}`,
    where: { file, field: flag },
    remedy: `${suggestion(strange, known)}Name one of: ${[...new Set(known)].slice(0, 40).join(', ')}.`,
  })
}
