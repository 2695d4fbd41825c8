/** Columns of a letter display and every row's letters. */
export interface Letters {
  /** One text a row, such as `ab`. */
  readonly letters: readonly string[]
  /** The rows of each letter: the greatest groups without a difference. */
  readonly columns: readonly (readonly number[])[]
}

/**
 * Letters for rows so that two share one exactly where no test parts them, by insert and absorb (Piepho 2004).
 * @param rows how many, in the board's order
 * @param differs whether a test parts two rows
 */
export const letterDisplay = (rows: number, differs: (a: number, b: number) => boolean): Letters => {
  let columns: (readonly number[])[] = [Array.from({ length: rows }, (_, row) => row)]
  for (let a = 0; a < rows; a += 1)
    for (let b = a + 1; b < rows; b += 1)
      if (differs(a, b)) columns = absorbed(columns.flatMap((column) => parted(column, a, b)))
  columns = columns.toSorted(byMembers)
  const letters = Array.from({ length: rows }, (_, row) =>
    columns.map((column, at) => (column.includes(row) ? letterOf(at) : '')).join(''),
  )
  return { letters, columns }
}

const parted = (column: readonly number[], a: number, b: number): readonly (readonly number[])[] =>
  column.includes(a) && column.includes(b)
    ? [column.filter((row) => row !== a), column.filter((row) => row !== b)]
    : [column]

/** Without columns that lie inside others, and each once. */
const absorbed = (columns: readonly (readonly number[])[]): (readonly number[])[] => {
  const sets = columns.map((column) => new Set(column))
  return columns.filter(
    (column, at) =>
      !sets.some(
        (other, place) =>
          place !== at &&
          (other.size > column.length || (other.size === column.length && place < at)) &&
          column.every((row) => other.has(row)),
      ),
  )
}

const byMembers = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((row, place) => row !== b[place])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? Infinity)
}

/** a … z, then (aa), (ab) … */
const letterOf = (at: number): string => {
  const letter = (place: number): string => String.fromCharCode(97 + place)
  if (at < 26) return letter(at)
  let [text, rest] = ['', at]
  while (rest >= 0) {
    text = letter(rest % 26) + text
    rest = Math.floor(rest / 26) - 1
  }
  return `(${text})`
}
