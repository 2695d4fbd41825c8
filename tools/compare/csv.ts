/** Comma-separated rows under their heads (RFC 4180, with line feeds), quoted where needed. Null is an empty cell, never 0. */
export const csvText = (
  heads: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string => [heads, ...rows].map((row) => row.map(cell).join(',')).join('\n')

const cell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
