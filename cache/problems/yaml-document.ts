import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import {
  boolYaml11Tag,
  CHOMPING_MODE,
  constructFromEvents,
  CORE_SCHEMA,
  EVENT_ID,
  mergeTag,
  NOT_RESOLVED,
  parseEvents,
  SCALAR_STYLE,
  timestampTag,
  YAML11_SCHEMA,
  YAMLException,
  type Event,
  type Schema,
} from 'js-yaml'
import { lineColumn } from './line-column.ts'
import { ProblemError, type Place } from './problem.ts'
import { packageRoot, runsFromSource } from '../package-root.ts'

/** Keys and list indices from the top of a document to one of its values. */
export type DocumentPath = readonly PropertyKey[]

/** A parsed YAML or JSON file that still knows where each of its keys stands. */
export interface YamlDocument {
  readonly file: string
  /** Null for an empty document. */
  readonly value: unknown
  /** Place of the key or list item at the path, or of its nearest parent that the file has. */
  place(path: DocumentPath): Place
}

export interface YamlOptions {
  /** First part of problem codes, the room that reads the file. */
  readonly room: string
  /** `CORE_YAML` if not given. Files written for HELM are `HELM_YAML`. */
  readonly schema?: Schema
  /** Look the value up among those of our own files, which the build parsed by the same schema. */
  readonly ahead?: { readonly revive?: (key: string, value: unknown) => unknown }
}

/** YAML 1.2 with `<<`, which HELM's registries may hold. */
export const CORE_YAML: Schema = CORE_SCHEMA.withTags(mergeTag)

/** YAML 1.1 as HELM reads it by PyYAML: `y` and `n` are texts, and days are given to fields that are. */
export const HELM_YAML: Schema = YAML11_SCHEMA.withTags(
  {
    ...boolYaml11Tag,
    resolve: (source, ...rest) =>
      /^[yn]$/i.test(source) ? NOT_RESOLVED : boolYaml11Tag.resolve(source, ...rest),
  },
  { ...timestampTag, resolve: () => NOT_RESOLVED },
)

/**
 * Parses one YAML document; JSON is YAML too. `file` is only named in problems.
 *
 * @throws ProblemError `<room>/yaml` with line and column: bad syntax, a key given twice, more than one document
 */
export const parseYaml = (text: string, file: string, options: YamlOptions): YamlDocument => {
  try {
    const known = options.ahead && parsedAhead(text, options.room, options.ahead.revive)
    const parsed = known ?? documentOf(text, file, options)
    // Most documents are never asked for a place.
    let offsets: ReadonlyMap<string, number> | undefined
    const place = (path: DocumentPath): Place => {
      offsets ??= offsetsOf(parseEvents(text, { filename: file }), text)
      return { file, ...lineColumn(text, nearest(offsets, path)), ...field(path) }
    }
    return { file, value: parsed.value, place }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { line, column } = error.mark ?? {}
    const where = line === undefined || column === undefined ? {} : { line: line + 1, column: column + 1 }
    throw yamlProblem(options.room, file, error.reason, where, error)
  }
}

const documentOf = (
  text: string,
  file: string,
  { room, schema = CORE_YAML }: YamlOptions,
): { readonly value: unknown } => {
  const events = parseEvents(text, { filename: file })
  const last = events.findLast((event) => event.type === EVENT_ID.SCALAR)
  // PyYAML takes no line end for one that the file's last line, of a block, does not have.
  if (schema === HELM_YAML && last?.valueEnd === text.length && !/[\n\r]$/.test(text))
    last.chomping = CHOMPING_MODE.STRIP
  // The library refuses the character itself; as an escape it would end in a path, where no error tells of the file.
  const nul = events.find(
    (event) =>
      event.type === EVENT_ID.SCALAR &&
      event.style === SCALAR_STYLE.DOUBLE_QUOTED &&
      NUL.test(text.slice(event.valueStart, event.valueEnd)),
  )
  if (nul?.type === EVENT_ID.SCALAR)
    throw yamlProblem(room, file, 'null byte', lineColumn(text, nul.valueStart))
  const documents = constructFromEvents(events, {
    source: text,
    filename: file,
    schema,
  })
  if (documents.length > 1)
    throw yamlProblem(
      room,
      file,
      'the file holds more than one document',
      lineColumn(text, secondDocument(events, text)),
    )
  return { value: documents[0] ?? null }
}

const NUL = /(?<!\\)(?:\\\\)*\\(?:0|x00|u0000|U0{8})/

/** Where its `---` stands. */
const secondDocument = (events: readonly Event[], text: string): number => {
  const second = events.findIndex(({ type }, index) => index > 0 && type === EVENT_ID.DOCUMENT)
  const ends = events.slice(0, second).map((event) => (event.type === EVENT_ID.SCALAR ? event.valueEnd : 0))
  return text.indexOf('\n---', Math.max(0, ...ends)) + 1
}

/** `metrics[0].judges[1].name` */
export const pathText = (path: DocumentPath): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')

const field = (path: DocumentPath): { field?: string } => (path.length > 0 ? { field: pathText(path) } : {})

/** By what the library calls the fault. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/duplicated mapping key/, 'Keep one of the two.'],
  [/more than one document/, 'Keep one of them, and take out the `---` between them.'],
  [/unidentified alias|unknown \w+ tag/, 'Put a text that begins with *, & or ! into quotes.'],
  [/^tab characters/, 'Indent with blanks.'],
  [/null byte|non-printable/, 'Take the character out.'],
]

const yamlProblem = (
  room: string,
  file: string,
  reason: string,
  where: Place,
  cause?: unknown,
): ProblemError =>
  new ProblemError(
    {
      code: `${room}/yaml`,
      message: `this is not readable as YAML: ${reason}`,
      where: { file, ...where },
      remedy:
        REMEDIES.find(([pattern]) => pattern.test(reason))?.[1] ??
        'Check indentation, quotes and brackets here; put a text that holds ": " or " #" into quotes.',
    },
    { cause },
  )

const nearest = (offsets: ReadonlyMap<string, number>, path: DocumentPath): number => {
  for (let length = path.length; length > 0; length--) {
    const offset = offsets.get(pathText(path.slice(0, length)))
    if (offset !== undefined) return offset
  }
  return 0
}

/** A collection that is being read: `key` holds a mapping's key until its value comes. */
interface Open {
  readonly path: DocumentPath
  readonly list: boolean
  next: number
  key: string | undefined
}

/** Offset of each key and list item by its path. */
const offsetsOf = (events: readonly Event[], text: string): ReadonlyMap<string, number> => {
  const offsets = new Map<string, number>()
  const open: Open[] = []
  const enter = (start: number): DocumentPath => {
    const parent = open.at(-1)
    if (!parent) return []
    const path = [...parent.path, parent.list ? parent.next++ : (parent.key ?? '')]
    if (parent.list && start >= 0) offsets.set(pathText(path), start)
    parent.key = undefined
    return path
  }
  for (const event of events) {
    if (event.type === EVENT_ID.POP) open.pop()
    else if (event.type === EVENT_ID.SCALAR) {
      const parent = open.at(-1)
      if (parent && !parent.list && parent.key === undefined) {
        parent.key = text.slice(event.valueStart, event.valueEnd)
        offsets.set(pathText([...parent.path, parent.key]), event.valueStart)
      } else enter(event.valueStart)
    } else if (event.type === EVENT_ID.ALIAS) enter(event.anchorStart)
    else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING)
      open.push({ path: enter(event.start), list: event.type === EVENT_ID.SEQUENCE, next: 0, key: undefined })
  }
  return offsets
}

/** As `JSON.stringify` takes it. */
type Replacer = (this: Readonly<Record<string, unknown>>, key: string, value: unknown) => unknown

let lines: ReadonlyMap<string, string> | undefined

/**
 * The value of a YAML text that the build parsed; undefined for every other text, and where the sources run.
 *
 * @param revive as `JSON.parse` takes it, for values that are no plain JSON
 */
const parsedAhead = (
  text: string,
  room: string,
  revive?: (key: string, value: unknown) => unknown,
): { readonly value: unknown } | undefined => {
  lines ??= runsFromSource ? new Map() : readLines(join(packageRoot(), 'dist', 'parsed.txt.br'))
  const json = lines.size === 0 ? undefined : lines.get(keyOf(text, room))
  return json === undefined ? undefined : { value: JSON.parse(json, revive) as unknown }
}

/** The line of `parsed.txt.br` for a text: its key, a blank, its value as JSON. */
export const parsedLine = (text: string, room: string, value: unknown, replace?: Replacer): string =>
  `${keyOf(text, room)} ${JSON.stringify(value, replace)}\n`

/** Half of a digest: fifty whole ones take a kilobyte of the package's megabyte. */
const keyOf = (text: string, room: string): string =>
  `${room}:${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`

const readLines = (file: string): ReadonlyMap<string, string> => {
  if (!existsSync(file)) return new Map()
  return new Map(
    brotliDecompressSync(readFileSync(file))
      .toString()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const),
  )
}
