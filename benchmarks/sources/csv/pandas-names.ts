/** Column names as pandas gives them: an empty header cell is `Unnamed: <column>`, a repeated name is numbered. */
export const pandasNames = (header: readonly string[]): readonly string[] => {
  const taken = new Set(header)
  const seen = new Map<string, number>()
  return header.map((cell, column) => {
    const name = cell === '' ? `Unnamed: ${column}` : cell
    let count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    if (count === 0) return name
    while (taken.has(`${name}.${count}`)) count++
    seen.set(name, count + 1)
    taken.add(`${name}.${count}`)
    return `${name}.${count}`
  })
}
