/** CSV text (RFC 4180, but with line feeds): header and rows, quotes only where needed. */
export const csv = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, ...rows].map((row) => `${row.map(field).join(',')}\n`).join('')

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
