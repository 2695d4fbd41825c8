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
  const taken = new Set(names)
  const seen = new Set<string>()
  return names.map((name) => {
    let own = name
    for (let count = 2; seen.has(own) || (own !== name && taken.has(own)); count += 1)
      own = `${name} (${count})`
    seen.add(own)
    return own
  })
}
