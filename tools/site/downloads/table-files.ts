import { csvText } from '../../../cache/words/csv-text.ts'
import type { ShownCell, ShownTable } from './shown-table.ts'

/** A file to keep: lines end as every system's programs read them. */
export const csvOf = ({ head, rows }: ShownTable): string => `${csvText(head, rows, '\r\n')}\r\n`

/** A list with an object a row. */
export const jsonOf = ({ head, rows }: ShownTable): string =>
  `${JSON.stringify(
    rows.map((row) => Object.fromEntries(head.map((name, column) => [name, row[column] ?? null]))),
    undefined,
    1,
  )}\n`

/** A booktabs table: columns of numbers to the right, rounded ones too, other ones to the left. */
export const latexOf = ({ name, head, rows }: ShownTable): string => {
  const isNumber = head.map((_, column) => rows.every((row) => NUMBER.test(String(row[column] ?? '–'))))
  const line = (cells: readonly ShownCell[]): string => `${cells.map(latexCell).join(' & ')} ${ROW_END}`
  return [
    String.raw`% \usepackage{booktabs}`,
    String.raw`\begin{table}`,
    String.raw`\caption{${latexText(name)}}`,
    String.raw`\begin{tabular}{${isNumber.map((is) => (is ? 'r' : 'l')).join('')}}`,
    String.raw`\toprule`,
    line(head),
    String.raw`\midrule`,
    ...rows.map(line),
    String.raw`\bottomrule`,
    String.raw`\end{tabular}`,
    String.raw`\end{table}`,
    '',
  ].join('\n')
}

const NUMBER = /^(?:[−-]?\d[\d.]*|–)$/

const ROW_END = String.raw`\\`

const latexCell = (cell: ShownCell): string => {
  if (cell === null) return '--'
  return typeof cell === 'number' ? `$${cell}$` : latexText(cell)
}

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
  '−': '$-$',
  '–': '--',
  '∞': String.raw`$\infty$`,
  '≥': String.raw`$\ge$`,
  '<': String.raw`\textless{}`,
  '>': String.raw`\textgreater{}`,
  '\u202F': String.raw`\,`,
}

/** A row's end would take a star or a bracket behind it as its own; an empty line ends a paragraph, which no cell may. */
const latexText = (text: string): string =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/[\\~^−–∞≥<>\u202F{}&%$#_]/g, (character) => SPECIAL[character] ?? `\\${character}`)
    .replace(/^\s*[*[]/, '{$&}')
