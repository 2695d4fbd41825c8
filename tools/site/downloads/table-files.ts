import type { ShownCell, ShownTable } from './shown-table.ts'

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export const csvOf = ({ head, rows }: ShownTable): string =>
  [head, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n'

const csvCell = (cell: ShownCell): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A list with an object a row. */
export const jsonOf = ({ head, rows }: ShownTable): string =>
  `${JSON.stringify(
    rows.map((row) => Object.fromEntries(head.map((name, column) => [name, row[column] ?? null]))),
    undefined,
    1,
  )}\n`

/** A booktabs table: columns of numbers to the right, other ones to the left. */
export const latexOf = ({ name, head, rows }: ShownTable): string => {
  const isNumber = head.map((_, column) =>
    rows.every((row) => typeof row[column] === 'number' || row[column] === null),
  )
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
