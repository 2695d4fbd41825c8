import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot, runsFromSource } from '../package-root.ts'

/** As `JSON.stringify` takes it. */
type Replacer = (this: Readonly<Record<string, unknown>>, key: string, value: unknown) => unknown

let lines: ReadonlyMap<string, string> | undefined

/**
 * The value of a YAML text that the build parsed; undefined for every other text, and where the sources run.
 *
 * @param revive as `JSON.parse` takes it, for values that are no plain JSON
 */
export const parsedAhead = (
  text: string,
  room: string,
  revive?: (key: string, value: unknown) => unknown,
): { readonly value: unknown } | undefined => {
  lines ??= runsFromSource ? new Map() : readLines(join(packageRoot(), 'dist', 'parsed.txt'))
  const json = lines.size === 0 ? undefined : lines.get(keyOf(text, room))
  return json === undefined ? undefined : { value: JSON.parse(json, revive) as unknown }
}

/** The line of `parsed.txt` for a text: its key, a blank, its value as JSON. */
export const parsedLine = (text: string, room: string, value: unknown, replace?: Replacer): string =>
  `${keyOf(text, room)} ${JSON.stringify(value, replace)}\n`

const keyOf = (text: string, room: string): string =>
  `${room}:${createHash('sha256').update(text).digest('base64url')}`

const readLines = (file: string): ReadonlyMap<string, string> => {
  if (!existsSync(file)) return new Map()
  return new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const),
  )
}
