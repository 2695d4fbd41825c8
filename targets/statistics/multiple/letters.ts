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
  const bits = Array.from({ length: rows }, (_, row) => 1n << BigInt(row))
  let sets = [bits.reduce((all, bit) => all | bit, 0n)]
  for (let a = 0; a < rows; a += 1)
    for (let b = a + 1; b < rows; b += 1) if (differs(a, b)) sets = parted(sets, bits[a] ?? 0n, bits[b] ?? 0n)
  const columns = sets
    .map((set) => bits.flatMap((bit, row) => ((set & bit) === 0n ? [] : [row])))
    .toSorted(byMembers)
  const letters = Array.from({ length: rows }, (_, row) =>
    columns.map((column, at) => (column.includes(row) ? letterOf(at) : '')).join(''),
  )
  return { letters, columns }
}

/** Every set that holds both in place of two without the one and without the other, unless they lie inside of another. */
const parted = (sets: readonly bigint[], a: bigint, b: bigint): bigint[] => {
  const holdsBoth = (set: bigint): boolean => (set & a) !== 0n && (set & b) !== 0n
  const kept = sets.filter((set) => !holdsBoth(set))
  const fresh = [...new Set(sets.filter(holdsBoth).flatMap((set) => [set & ~a, set & ~b]))]
  const isInside = (set: bigint, other: bigint): boolean => set !== other && (set & other) === set
  return [
    ...kept,
    ...fresh.filter(
      (set) => !kept.some((other) => (set & other) === set) && !fresh.some((other) => isInside(set, other)),
    ),
  ]
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
