/** A table as it stands on a page: a name a column, and a text or number a cell. */
export interface ShownTable {
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly ShownCell[])[]
}

/** Null where the page shows a dash. */
export type ShownCell = string | number | null

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** What a cell's text says: page typography is taken back, no digit is added. */
export const shownCell = (text: string): ShownCell => {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  if (plain === '–' || plain === '') return null
  const digits = plain.replaceAll('−', '-').replaceAll(/(?<=\d)[\u202F\u00A0 ](?=\d{3}\b)/g, '')
  return NUMBER.test(digits) ? Number(digits) : plain
}

/** `name`, `name (2)`, …: no two columns may have one name. */
export const distinct = (names: readonly string[]): readonly string[] => {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}
