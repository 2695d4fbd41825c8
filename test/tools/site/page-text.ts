/** What a page shows of a piece of HTML, without what is drawn. */
export const shownText = (html: string): string =>
  html
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ')
    .trim()

export interface ShownTable {
  readonly head: readonly string[]
  /** Texts of the cells; of what is drawn the classes of the dots. */
  readonly rows: readonly (readonly string[])[]
}

/** The table of that name; without rows where there is none. */
export const tableOf = (html: string, label: string): ShownTable => {
  const [, rest = ''] = html.split(`aria-label="${label}"`)
  const table = rest.slice(0, Math.max(0, rest.indexOf('</table>')))
  const partsOf = (text: string, part: RegExp): readonly string[] =>
    [...text.matchAll(part)].map(([all]) => all)
  const cell = (text: string): string => {
    const dots = [...text.matchAll(/<circle class="([^"]*)"/g)].map(([, name]) => name)
    return dots.length > 0 ? dots.join(', ') : shownText(text)
  }
  const [head = '', ...rows] = partsOf(table, /<tr.*?<\/tr>/gs)
  return {
    head: partsOf(head, /<th.*?<\/th>/gs).map(shownText),
    rows: rows.map((row) => partsOf(row, /<t[hd].*?<\/t[hd]>/gs).map(cell)),
  }
}
