import { Float, numberOf, str } from '../../benchmarks/python/numbers/number.ts'
import type { Cell, HelmTable } from './table.ts'

const cellText = ({ value }: Cell): string => {
  if (value === undefined) return ''
  const isZero = (typeof value === 'number' || value instanceof Float) && numberOf(value) === 0
  return isZero ? '' : str(value)
}

const line = (cells: readonly Cell[]): string => `${cells.map(cellText).join(' & ')} ${String.raw`\\`}`

/** A table as HELM's LaTeX (HELM.md T23). Columns without any value are left out; zeros print blank, as in HELM. */
export const latex = (table: HelmTable, group: string): string => {
  const kept = table.header.flatMap((_, column) =>
    table.rows.some((row) => row[column]?.value !== undefined) ? [column] : [],
  )
  const select = (cells: readonly Cell[]): readonly Cell[] => kept.flatMap((column) => cells[column] ?? [])
  const name = `${table.name ?? ''} (${group})`
  return [
    String.raw`\begin{table*}[htp]`,
    String.raw`\resizebox{\textwidth}{!}{`,
    String.raw`\begin{tabular}{l${'r'.repeat(Math.max(kept.length - 1, 0))}}`,
    String.raw`\toprule`,
    line(select(table.header)),
    String.raw`\midrule`,
    ...table.rows.map((row) => line(select(row))),
    String.raw`\bottomrule`,
    String.raw`\end{tabular}}`,
    String.raw`\caption{Results for ${name}}`,
    String.raw`\label{fig:${name}}`,
    String.raw`\end{table*}`,
  ]
    .join('\n')
    .replaceAll('%', String.raw`\%`)
}
