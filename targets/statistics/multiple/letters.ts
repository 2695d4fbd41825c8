import { holm } from './holm.ts'

/** Columns of a letter display and every row's letters. */
interface Letters {
  /** One text a row, such as `ab`. */
  readonly letters: readonly string[]
  /** The rows of each letter: the greatest groups without a difference. */
  readonly columns: readonly (readonly number[])[]
}

/** Columns a row that a display may have before some are left out; that many tell a reader nothing. */
const MOST = 10

/**
 * Letters for rows so that two share one exactly where no test parts them (Piepho 2004): a letter for each greatest group
 * without a difference. Of groups there may be 3^(rows / 3); where there are more than ten a row, those are kept that it takes
 * for every two rows without a difference to share one.
 * @param rows how many, in the board's order
 * @param differs whether a test parts two rows, the first before the second
 */
export const letterDisplay = (rows: number, differs: (a: number, b: number) => boolean): Letters => {
  const alike = alikeRows(rows, differs)
  const columns = (greatestGroups(alike) ?? enoughGroups(alike)).map(membersOf).toSorted(byMembers)
  const letters = Array.from({ length: rows }, () => '')
  for (const [at, column] of columns.entries()) for (const row of column) letters[row] += letterOf(at)
  return { letters, columns }
}

/**
 * Letters so that two rows share one exactly where no paired test parts them, by Holm over all tests; '' where there is
 * nothing to compare.
 * @param pOf two-sided p of two rows, the first before the second; null where there is no test, which makes no claim and so is not
 *   in Holm's family; undefined for two that nobody compares
 */
export const lettersByTests = (
  rows: number,
  pOf: (a: number, b: number) => number | null | undefined,
  alpha: number,
): readonly string[] => {
  const pairs: number[] = []
  const ps: number[] = []
  let isCompared = false
  for (let a = 0; a < rows; a += 1)
    for (let b = a + 1; b < rows; b += 1) {
      const p = pOf(a, b)
      isCompared ||= p !== undefined
      if (p == null) continue
      pairs.push(a * rows + b)
      ps.push(p)
    }
  if (!isCompared) return Array.from({ length: rows }, () => '')
  const adjusted = holm(ps)
  const apart = new Set(pairs.filter((_, at) => (adjusted[at] ?? 1) < alpha))
  return letterDisplay(rows, (a, b) => apart.has(a * rows + b)).letters
}

/** Whether two rows share a letter, and so no test parts them. @param one, other letters as a display has them */
export const shareLetter = (one: string, other: string): boolean => {
  // Letters of one character come first: `a` is none of `(ab)`.
  const [single = ''] = other.split('(', 1)
  return (one.match(/\(\w+\)|\w/g) ?? []).some((letter) =>
    (letter.length === 1 ? single : other).includes(letter),
  )
}

const bitOf = (row: number): bigint => 1n << BigInt(row)

/** By row, the others that nothing parts it from, as bits. */
const alikeRows = (rows: number, differs: (a: number, b: number) => boolean): readonly bigint[] => {
  const found = Array.from({ length: rows }, () => 0n)
  for (let a = 0; a < rows; a += 1)
    for (let b = a + 1; b < rows; b += 1) {
      if (differs(a, b)) continue
      found[a] = (found[a] ?? 0n) | bitOf(b)
      found[b] = (found[b] ?? 0n) | bitOf(a)
    }
  return found
}

const isInside = (set: bigint, other: bigint): boolean => (set & other) === set

/**
 * A row at a time: it joins the groups all of which it is like, and makes a group with the part of another that it is
 * like, unless that lies inside of one. Never more groups on the way than at the end. Undefined where there are too many.
 */
const greatestGroups = (alike: readonly bigint[]): readonly bigint[] | undefined => {
  let groups: bigint[] = []
  for (const [row, others] of alike.entries()) {
    const kept = groups.filter((group) => !isInside(group, others))
    const parts = [...new Set([...groups.map((group) => group & others), 0n])]
    const joined = parts.filter((part) => !parts.some((other) => other !== part && isInside(part, other)))
    groups = [...kept, ...joined.map((part) => part | bitOf(row))]
    if (groups.length > MOST * alike.length) return undefined
  }
  return groups
}

/** For every two rows that are alike one group, made as great as it gets from the rows nearest to the top. */
const enoughGroups = (alike: readonly bigint[]): readonly bigint[] => {
  const groups: bigint[] = []
  /** By row, those with which it has a group. */
  const together = alike.map(() => 0n)
  for (const [row, others] of alike.entries()) {
    if (others === 0n) groups.push(bitOf(row))
    for (const other of membersOf(others)) {
      if (other < row || ((together[row] ?? 0n) & bitOf(other)) !== 0n) continue
      const group = grown(bitOf(row) | bitOf(other), others & (alike[other] ?? 0n), alike)
      for (const member of membersOf(group)) together[member] = (together[member] ?? 0n) | group
      groups.push(group)
    }
  }
  return groups
}

const grown = (pair: bigint, candidates: bigint, alike: readonly bigint[]): bigint => {
  let [group, rest] = [pair, candidates]
  for (const row of membersOf(candidates)) {
    if ((rest & bitOf(row)) === 0n) continue
    group |= bitOf(row)
    rest &= alike[row] ?? 0n
  }
  return group
}

const membersOf = (group: bigint): readonly number[] =>
  Array.from(group.toString(2))
    .toReversed()
    .flatMap((bit, row) => (bit === '1' ? [row] : []))

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
