/**
 * A chunk of data as a classic script: `file://` pages may load those and nothing else. Characters that could end a
 * script element or a line are escaped, everything beyond ASCII too, so that no charset can change it.
 */
export const chunkScript = (key: string, value: unknown): string =>
  `__chunk(${ascii(key)},${ascii(value)});\n`

const ascii = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
