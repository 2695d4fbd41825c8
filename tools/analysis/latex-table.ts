const SPECIAL: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
  '–': '--',
}

const escaped = (text: string): string =>
  text.replaceAll(/[\\~^–&%$#_{}]/g, (character) => SPECIAL[character] ?? `\\${character}`)

/** A LaTeX table for booktabs. Special characters of cells are escaped. */
export const latexTable = ({
  caption,
  heads,
  rows,
}: {
  readonly caption: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}): string => {
  const line = (cells: readonly string[]): string => `${cells.map(escaped).join(' & ')} ${String.raw`\\`}`
  return [
    String.raw`\begin{table}`,
    String.raw`\caption{${escaped(caption)}}`,
    String.raw`\begin{tabular}{l${'r'.repeat(Math.max(heads.length - 1, 0))}}`,
    String.raw`\toprule`,
    line(heads),
    String.raw`\midrule`,
    ...rows.map(line),
    String.raw`\bottomrule`,
    String.raw`\end{tabular}`,
    String.raw`\end{table}`,
  ].join('\n')
}
