/**
 * A chunk of data as a classic script: `file://` pages may load those and nothing else. Characters that could end a
 * script element or a line are escaped, everything beyond ASCII too, so that no charset can change it.
 */
export const chunkScript = (key: string, value: unknown): string => chunkOfJson(key, asciiJson(value))

/** The same of a value that is `asciiJson` already. */
export const chunkOfJson = (key: string, json: string): string => `__chunk(${asciiJson(key)},${json});\n`

/** JSON of a value in characters that are a byte each. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
