import { percentDecoded } from '../../../cache/network/percent-decoded.ts'

/**
 * The path of a file below a served folder that an address asks for, as segments; undefined for whatever leads
 * outside, to hidden files, or can't be read as an address.
 *
 * @param pathname path of the address, percent-encoded, beginning with `/`
 */
export const staticPath = (pathname: string): readonly string[] | undefined => {
  const segments: string[] = []
  for (const part of pathname.slice(1).split('/')) {
    const segment = percentDecoded(part)
    if (segment === undefined || /[/\\\0]/.test(segment) || segment.startsWith('.')) return undefined
    segments.push(segment)
  }
  // An empty segment may only end the path: it asks for a folder.
  return segments.slice(0, -1).includes('') ? undefined : segments
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  tex: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
}

/** Content type by a file's ending. */
export const contentType = (name: string): string =>
  TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
