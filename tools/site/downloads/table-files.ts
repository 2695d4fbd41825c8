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
  const table = [
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
  return [String.raw`% \usepackage{booktabs}`, ...lettersNeed(table), table].join('\n')
}

/** What pdfLaTeX sets in the encoding T1, as far as names may hold it; its usual encoding lacks some, such as ą and ð. */
const OF_T1 =
  /[ -~\n\u00A0-\u0125\u0128-\u0137\u0139-\u013E\u0141-\u0148\u014A-\u0165\u0168-\u017E\u0218-\u021B\u2010-\u2016\u2018-\u201A\u201C-\u201E\u2020-\u2022\u2026\u2030\u20AC\u2122\u2190-\u2193]/gu

/** Letters that are named, of those that no encoding of pdfLaTeX has. */
const NAMED = 5

/** Else LaTeX stops at a letter that it does not know, or leaves it out. */
const lettersNeed = (table: string): readonly string[] => {
  const others = [...new Set(table.replaceAll(OF_T1, ''))]
  if (others.length > 0)
    return [
      `% XeLaTeX or LuaLaTeX, and by fontspec a font that has ${others.slice(0, NAMED).map(letterName).join(', ')}${others.length > NAMED ? ` and ${others.length - NAMED} more` : ''}: pdfLaTeX stops there`,
    ]
  return /[^ -~\n]/.test(table) ? [String.raw`% \usepackage[T1]{fontenc}`] : []
}

const letterName = (letter: string): string => {
  const code = `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{L}\p{N}]/u.test(letter) ? `${letter} (${code})` : code
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
  '≤': String.raw`$\le$`,
  '≈': String.raw`$\approx$`,
  '<': String.raw`\textless{}`,
  '>': String.raw`\textgreater{}`,
  '\u202F': String.raw`\,`,
}

/** Letters that stand for something, as in β-blocker; words in Greek want a font of theirs. */
const GREEK = /(?<!\p{Script=Greek})[α-ωΓΔΘΛΞΠΣΦΨΩ](?!\p{Script=Greek})/gu

const GREEK_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...'α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho ς varsigma σ sigma τ tau υ upsilon φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega'.matchAll(
      /(.) (\w+)/gu,
    ),
  ].map(([, letter = '', name = '']) => [letter, `$\\${name}$`]),
)

/** A row's end would take a star or a bracket behind it as its own; an empty line ends a paragraph, which no cell may. */
const latexText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\s*\n\s*|\p{Cc}/gu, ' ')
    .replaceAll(/[\\~^−–∞≥≤≈<>\u202F{}&%$#_]/g, (character) => SPECIAL[character] ?? `\\${character}`)
    .replaceAll(GREEK, (letter) => GREEK_NAMES[letter] ?? letter)
    .replace(/^\s*[*[]/, '{$&}')
