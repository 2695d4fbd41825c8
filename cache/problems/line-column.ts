/** Line and column, from 1, of what stands at an offset of a text; both offset and column in UTF-16 units. */
export const lineColumn = (
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
}
