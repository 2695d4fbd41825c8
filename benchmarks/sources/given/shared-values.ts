/** A number that a person or a letter has is one of many, and most of them have few rows. */
const FEWEST_VALUES = 5
const MOST_ROWS_A_VALUE = 20
/** Of values that are a row each but for this share nothing is said. */
const LEAST_REPEATED = 0.05
const MOST_COLUMNS = 3

/** Columns that give references. */
const ANSWERS = new Set(['correct_answer', 'incorrect_answers'])

/**
 * What an author is told of columns whose values stand in several rows, as a patient's number does: that rows may share
 * their source is nowhere else to be seen, and intervals are too narrow where it is not declared.
 */
export const sharedValues = (
  columns: readonly string[],
  rows: readonly { readonly texts: readonly string[] }[],
): readonly string[] => {
  const found = columns.flatMap((column, at) => {
    if (ANSWERS.has(column)) return []
    const count = new Set(rows.map(({ texts }) => texts[at]?.trim() ?? '')).size
    const isShared =
      count >= FEWEST_VALUES &&
      count * MOST_ROWS_A_VALUE >= rows.length &&
      count <= rows.length * (1 - LEAST_REPEATED)
    return isShared ? [{ column, count }] : []
  })
  const [first] = found
  if (first === undefined) return []
  const named = found
    .slice(0, MOST_COLUMNS)
    .map(({ column, count }) => `${JSON.stringify(column)} (${count} values in ${rows.length} rows)`)
  return [
    `Values repeat: ${named.join(', ')}. If one of these says whose row it is, such as a patient's, name it in benchmark.yaml, for instance \`cluster: ${JSON.stringify(first.column)}\`: else each row counts as evidence of its own, and intervals are too narrow.`,
  ]
}
