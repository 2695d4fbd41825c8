import { ProblemError } from '../../../cache/problems/problem.ts'
import { compareStats, type StatsCase, type StatsRow } from './compare-stats.ts'
import { statsCases } from './stats-cases.ts'
import { isAlike, statsSummary, statsTable } from './stats-table.ts'

/**
 * Recomputes the stats of every run that HELM wrote, and prints a row a run.
 * @returns the exit code: 1 on a difference
 */
export const statsParity = async (shared: string, print: (text: string) => void): Promise<number> => {
  const rows: StatsRow[] = []
  for (const each of statsCases(shared))
    rows.push(await compareStats(each).catch((error: unknown) => failedRow(each, error)))
  print(`${statsTable(rows)}\n${statsSummary(rows)}\n`)
  return rows.every(isAlike) ? 0 : 1
}

/** HELM had stats of it, so that none can be had here is a difference. */
const failedRow = ({ label, source }: StatsCase, error: unknown): StatsRow => {
  if (!(error instanceof ProblemError)) throw error
  const none = { equal: 0, compared: 0 }
  return {
    label,
    source,
    files: { stats: none, perInstance: none },
    notComputed: [],
    difference: error.message,
  }
}
