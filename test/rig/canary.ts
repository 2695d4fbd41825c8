import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openStore } from '../../cache/open-store.ts'
import { TABLES } from '../../cache/store.ts'

/** Starts every planted identifier, so that a piece of one is found, too; long enough to occur nowhere by chance. */
const MARK = 'ZQX7KANARI'

/** A made-up patient identifier. */
export const canary = (index: number): string =>
  `${MARK}${BigInt(`0x${createHash('sha256').update(`canary ${index}`).digest('hex').slice(0, 20)}`)
    .toString(36)
    .toUpperCase()}`

/** Planted identifiers, or pieces of them, in a text; base64 of a text counts as the text. */
export const foundIn = (bytes: Buffer | string): readonly string[] => {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1')
  return [
    ...new Set([...text.matchAll(/ZQX7KANARI[0-9A-Z]*/g)].map(([found]) => found)),
    ...BASE64.filter((piece) => text.includes(piece)),
  ]
}

/** The mark in base64, by where in a group of three bytes it starts; characters that others share are left out. */
const BASE64 = [0, 1, 2].map((offset) => {
  const bytes = offset + MARK.length
  const encoded = Buffer.from(`${' '.repeat(offset)}${MARK}`).toString('base64')
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes * 8) / 6))
})

/** Files below a folder that hold a planted identifier, relative to it; links are not followed, archives are opened. */
export const filesWithCanaries = (root: string): readonly string[] =>
  readdirSync(realpathSync(root), { recursive: true, withFileTypes: true })
    // From Node 22 on, links to folders are followed.
    .filter((entry) => entry.isFile() && realpathSync(entry.parentPath) === entry.parentPath)
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file)
      return foundIn(bytes).length > 0 || (file.endsWith('.gz') && foundIn(gunzipSync(bytes)).length > 0)
    })
    .map((file) => relative(realpathSync(root), file))
    .sort()

/** Names in a workspace's open store, as `table id`, whose unpacked values hold a planted identifier, or that do themselves. */
export const storedWithCanaries = async (root: string): Promise<readonly string[]> => {
  const path = join(root, 'cache/store')
  const store = await openStore({ path, readOnly: true, onEvent: () => undefined })
  const found = TABLES.flatMap((table) =>
    [...store.entries(table)].flatMap(({ id }) => {
      const name = `${table} ${id}`
      return foundIn(`${name} ${JSON.stringify(store.get(table, id))}`).length > 0 ? [name] : []
    }),
  )
  await store.close()
  return found
}
