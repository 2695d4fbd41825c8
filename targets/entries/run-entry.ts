import { z } from 'zod'
import { defined } from '../../cache/values/defined.ts'
import { readFile } from '../../cache/files/read.ts'
import { digestOf, type Digest } from '../../cache/values/digest.ts'
import { lineColumn } from '../../cache/problems/line-column.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { checkDocument } from '../../cache/problems/zod-problems.ts'
import { parseHocon } from '../../models/config/hocon.ts'
import { Float, pyFloat, pyInt } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { pathText, type DocumentPath } from '../../cache/problems/yaml-document.ts'

/** A line of a suite: which benchmark with which model (HELM.md T2). */
export interface RunEntry {
  readonly description: string
  readonly priority?: number
  readonly groups?: readonly string[]
  readonly where: Place
}

/** An entry with its place in the file's text, whatever the file is called. */
export type ParsedEntry = Omit<RunEntry, 'where'> & { readonly where: Omit<Place, 'file'> }

/** Entries of texts that were parsed before, by the text's digest: parsing 481 of them takes longer than all the rest. */
export interface EntryMemory {
  get(text: Digest<'text'>): readonly ParsedEntry[] | undefined
  put(text: Digest<'text'>, entries: readonly ParsedEntry[]): void
}

const ConfFile = z.looseObject({
  entries: z.array(
    z.strictObject({
      description: z
        .string()
        .min(1)
        .refine((text) => !text.includes('\0'), 'Take the NUL out.'),
      priority: z.int().optional(),
      groups: z.array(z.string()).optional(),
    }),
  ),
})

/**
 * Reads a run-entry file (HOCON).
 *
 * @throws ProblemError `config/missing`, `system/not-utf8`, `config/hocon`, `targets/run-entry`, those of `checkDocument`
 */
export const readRunEntries = async (file: string, memory?: EntryMemory): Promise<readonly RunEntry[]> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException | ProblemError) => {
    if (error instanceof ProblemError) throw error
    throw new ProblemError({
      code: 'config/missing',
      message: `${file} can't be read: ${error.code ?? error.message}`,
      where: { file },
      remedy: 'Check the path; it is taken relative to the folder you run in.',
    })
  })
  const digest = digestOf<'text'>(text)
  const known = memory?.get(digest)
  if (known !== undefined) return known.map((entry) => ({ ...entry, where: { file, ...entry.where } }))
  const entries = await parseRunEntries(text, file)
  memory?.put(digest, entries.map(withoutFile))
  return entries
}

/** The same text may lie in another file next time. */
const withoutFile = ({ where, ...entry }: RunEntry): ParsedEntry => {
  const { line, column } = where
  return { ...entry, where: line === undefined || column === undefined ? {} : { line, column } }
}

const FORM =
  'A suite is a list: entries: [ {description: "pubmed_qa:model=…", priority: 1} ], with groups a list of names.'

/** A list's begin with its key, its end, an entry's text. */
const LISTS = /(?:([\w.-]+)"?\s*\+?[:=]?\s*)?\[|\]|(?<![^\s{,])"?description"?\s*[:=]/g

/** HOCON keeps the last of equal keys and joins `{…} {…}`: what a second list or a lost comma hides would not be run. */
const refuseHidden = (text: string, file: string, found: number): void => {
  let depth = 0
  let list = ''
  let written = 0
  for (const [sign, key] of withoutTexts(text).matchAll(LISTS))
    if (sign.endsWith('[')) {
      if (depth++ === 0) list = key ?? list
    } else if (sign === ']') depth--
    else if (depth > 0 && list === 'entries') written++
  if (written <= found) return
  throw new ProblemError({
    code: 'targets/run-entry',
    message: `HOCON gives ${found} entries, and the file describes ${written}`,
    where: { file, field: 'entries' },
    remedy: 'Write one list, a comma between any two entries, and each key once.',
  })
}

export const parseRunEntries = async (text: string, file: string): Promise<readonly RunEntry[]> => {
  const { entries } = checked(await parseHocon(text, file), text, file)
  refuseHidden(text, file, entries.length)
  const places = placesOf(text, file)
  return entries.map(({ description, priority, groups }) =>
    defined({ description, priority, groups, where: places(description) }),
  )
}

/** A misspelt priority would run what was to be left out. */
const checked = (value: unknown, text: string, file: string): z.output<typeof ConfFile> => {
  try {
    return checkDocument(ConfFile, { file, value, place: entryPlaces(text, file) }, 'targets')
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    throw new ProblemError(
      error.problems.map((problem) => ({ ...problem, remedy: `${problem.remedy} ${FORM}` })),
      { cause: error },
    )
  }
}

/** Entries given on the command line have no file. */
export const runEntryOf = (description: string): RunEntry => ({
  description,
  priority: 1,
  where: { field: '--run-entries' },
})

/** The parser keeps no positions: an entry's place is where its text next stands in the file. */
const placesOf = (text: string, file: string): ((description: string) => Place) => {
  let from = 0
  return (description) => {
    const next = text.indexOf(description, from)
    const found = next === -1 ? text.indexOf(description) : next
    if (found === -1) return { file }
    from = found + description.length
    return { file, ...lineColumn(text, found) }
  }
}

/** A parsed description: `name:key=value,key=value`, arguments in textual order. */
export interface Description {
  readonly name: string
  readonly args: ReadonlyMap<string, PyValue>
}

/**
 * Parses a run-entry description (HELM.md T3): name up to the first colon, arguments split at every comma,
 * each at its first equals sign; values as Python's int(), else float(), else text. A key given twice keeps the last.
 *
 * @throws ProblemError `targets/description`
 */
export const parseDescription = (text: string, where: Place): Description => {
  const colon = text.indexOf(':')
  if (colon === -1) return { name: text, args: new Map() }
  const args = new Map<string, PyValue>()
  for (const piece of text.slice(colon + 1).split(',')) {
    const equals = piece.indexOf('=')
    if (equals === -1)
      throw new ProblemError({
        code: 'targets/description',
        message: `expected <key>=<value>, found ${JSON.stringify(piece)} in ${JSON.stringify(text)}`,
        where,
        remedy: 'Write name:key=value,key=value; a value can hold no comma.',
      })
    args.set(piece.slice(0, equals), valueOf(piece.slice(equals + 1)))
  }
  return { name: text.slice(0, colon), args }
}

const valueOf = (text: string): PyValue => {
  const whole = pyInt(text)
  if (whole !== undefined) return whole
  const fraction = pyFloat(text)
  return fraction === undefined ? text : new Float(fraction)
}

const TEXT_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"(\s*[:=])?|(?:#|\/\/)[^\n]*/g

/** Same length, blanks in place of comments and of texts that are values. */
const withoutTexts = (text: string): string =>
  text.replace(TEXT_OR_COMMENT, (part: string, key: string | undefined) =>
    key === undefined ? ' '.repeat(part.length) : part,
  )

/** The parser keeps no positions: where an entry begins, or one of its keys, by brackets and names outside of texts. */
const entryPlaces = (text: string, file: string): ((path: DocumentPath) => Place) => {
  const plain = withoutTexts(text)
  return (path) => {
    const [, at, key] = path
    const field = pathText(path)
    const start = typeof at === 'number' ? entryStart(plain, at) : undefined
    if (start === undefined) return { file, field }
    const found = key === undefined ? -1 : plain.slice(start).search(keyPattern(String(key)))
    return { file, field, ...lineColumn(text, start + Math.max(0, found)) }
  }
}

const keyPattern = (key: string): RegExp =>
  new RegExp(`(?<=[\\s{,])"?${key.replaceAll(/[^\w-]/g, '.')}"?\\s*[:=]`)

/** Undefined for one that stands in no plain list, such as one that is added to it. */
const entryStart = (plain: string, wanted: number): number | undefined => {
  const list = /entries"?\s*[:=]?\s*\[/.exec(plain)
  if (list === null) return undefined
  let depth = 0
  let seen = 0
  for (let at = list.index + list[0].length; at < plain.length && depth >= 0; at += 1) {
    const sign = plain[at]
    if (sign === '{' && depth === 0 && seen++ === wanted) return at
    depth += sign === '{' || sign === '[' ? 1 : sign === '}' || sign === ']' ? -1 : 0
  }
  return undefined
}
