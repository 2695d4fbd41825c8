import { safeText } from '../../../cache/problems/safe-text.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { templateFields } from '../../python/templates/format.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import type { RowGuard } from '../../sources/row-guard.ts'
import { rowPlace, type Row, type Table } from '../../sources/table.ts'

/**
 * Results are kept by id, so two instances of one id would count as one. An id as text is another one than as a number.
 * @throws ProblemError `benchmarks/duplicate-id` with row and column
 */
export const withUniqueIds = <Drafted extends { readonly row: Row; readonly draft: DraftInstance }>(
  drafts: readonly Drafted[],
  template: string | undefined,
  table: Table,
  rows: RowGuard,
): readonly Drafted[] => {
  if (template === undefined) return drafts
  const seen = new Set<string | number | undefined>()
  const column = templateFields(template)[0]
  return drafts.filter(({ row, draft }) =>
    rows.attempt(() => {
      if (seen.has(draft.id))
        throw new ProblemError({
          code: 'benchmarks/duplicate-id',
          safe: safeText`two rows have one id`,
          message: `two instances have the id ${JSON.stringify(draft.id)}`,
          where: rowPlace(table.file, row, column),
          remedy: 'Give each row an id of its own: results are kept by id.',
        })
      seen.add(draft.id)
      return true
    }),
  )
}
