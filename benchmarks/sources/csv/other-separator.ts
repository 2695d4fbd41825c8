const SEPARATORS = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
  [',', 'commas'],
] as const

/** What separates the cells of a table that was read as one column because it was taken for something else. */
export const otherSeparator = (columns: readonly string[]): (typeof SEPARATORS)[number][1] | undefined => {
  const [only = ''] = columns.length === 1 ? columns : []
  return SEPARATORS.find(([separator]) => only.includes(separator))?.[1]
}
