import {
  comparisonCells,
  COMPARISON_HEADS,
  unrankedLines,
  type JudgedComparison,
} from './comparison-table.ts'
import type { JunitCase } from './junit.ts'

/** Comparisons as a CI server's tests: one a row, failed where a clause holds. */
export const comparisonCases = (judged: readonly JudgedComparison[]): readonly JunitCase[] =>
  judged.map((each) => {
    const { comparison, broken } = each
    const { suite, benchmark, runB, metric, result, unranked } = comparison
    const cells = comparisonCells(each)
    const base = {
      suite: `${suite}.${benchmark}`,
      name: `${runB} ${metric}`,
      output: COMPARISON_HEADS.map((head, column) => `${head}: ${cells[column] ?? ''}`).join('\n'),
    }
    if (broken.length > 0)
      return { ...base, outcome: { kind: 'failure', message: broken.map(({ text }) => text).join('; ') } }
    if (unranked !== null)
      return { ...base, outcome: { kind: 'error', message: unrankedLines([each]).join('; ') } }
    if (result === null) return { ...base, outcome: { kind: 'skipped', message: 'no instance is shared' } }
    return base
  })
