import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { InstanceRef } from '../record/instance-ref.ts'
import type { RowTable } from '../record/rows.ts'

/**
 * Digest of all answers, judgements and values of a run, by instance: equal where nothing that was measured differs.
 * Prompts are left out: other words may get the same answer.
 */
export const resultsDigest = (rows: RowTable, columns: number, evaluated: readonly InstanceRef[]): string => {
  const lines = Array.from({ length: rows.length }, (_, row) => {
    const cells = Array.from({ length: columns - 1 }, (_cell, column) => rows.get(row, column + 1) ?? '')
    return [evaluated[row % evaluated.length]?.digest ?? '', ...cells].join(' ')
  })
  return digestOf(lines.toSorted(compareCodePoints).join('\n'))
}
