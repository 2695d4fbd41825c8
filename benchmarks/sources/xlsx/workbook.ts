import { posix } from 'node:path'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { safeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import { ZipArchive } from '../unzip.ts'
import { xmlText } from '../xml/xml-text.ts'

/** A sheet of cells; one with nothing but a chart is none. */
export interface SheetEntry {
  readonly name: string
  readonly hidden: boolean
  /** Of its relationship to the workbook. */
  readonly id: string
}

/** What the cells of one of a workbook's sheets refer to, and the sheet itself. */
export interface Workbook {
  readonly sheet: string
  readonly strings: readonly string[]
  /** What each cell style shows a number as. */
  readonly styles: readonly Shown[]
  readonly from1904: boolean
}

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const CONTENT_TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const WORKBOOK = 'xl/workbook.xml'

/**
 * @param choose which sheet to read, of those in the workbook's order, hidden ones included
 * @throws ProblemError `benchmarks/zip`, `benchmarks/missing-member`, `benchmarks/xml`; Error of a damaged part
 */
export const openWorkbook = (
  bytes: Uint8Array,
  file: string,
  choose: (sheets: readonly SheetEntry[]) => SheetEntry | undefined,
): Workbook => {
  const archive = new ZipArchive(bytes, file)
  const part = (name: string): string => xmlText(archive.member(name), `${file}/${name}`)
  const optional = (name: string): string => {
    const found = archive.find(name)
    return found === undefined ? '' : xmlText(found, `${file}/${name}`)
  }
  const types = contentTypes(optional('[Content_Types].xml'))
  const main = types.get('main') ?? WORKBOOK
  if (archive.find(main) === undefined)
    throw new FormatError(
      safeText`it is an archive of something else`,
      'Save a sheet as .xlsx; unpack what holds a table.',
    )
  const { sheets, from1904 } = bookOf(part(main))
  const folder = posix.dirname(main)
  const targets = sheetTargets(part(`${folder}/_rels/${posix.basename(main)}.rels`), folder)
  const chosen = targets.get(choose(sheets.filter(({ id }) => targets.has(id)))?.id ?? '')
  if (chosen === undefined) throw new FormatError(safeText`it has no sheet`)
  return {
    sheet: part(chosen),
    strings: sharedStrings(optional(types.get('sharedStrings') ?? 'xl/sharedStrings.xml')),
    styles: cellStyles(optional('xl/styles.xml')),
    from1904,
  }
}

/** Parts by the last word of their type: `main` is the workbook, be it with macros or a template. */
const contentTypes = (xml: string): ReadonlyMap<string, string> => {
  const parts = new Map<string, string>()
  const open = ({ attributes }: { readonly attributes: Readonly<Record<string, string>> }): void => {
    const kind = /\.(main|sharedStrings)\+xml$/.exec(attributes['ContentType'] ?? '')?.[1]
    const name = attributes['PartName']
    if (kind !== undefined && name !== undefined) parts.set(kind, name.replace(/^\//, ''))
  }
  parsePart(xml, { open }, CONTENT_TYPES)
  return parts
}

/** The sheets in their order, charts included, and the calendar. */
const bookOf = (xml: string): { readonly sheets: readonly SheetEntry[]; readonly from1904: boolean } => {
  const sheets: SheetEntry[] = []
  let from1904 = false
  parsePart(xml, {
    open: ({ name, attributes }) => {
      if (name === 'sheet')
        sheets.push({
          name: attributes['name'] ?? '',
          hidden: /hidden$/i.test(attributes['state'] ?? ''),
          id: Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1] ?? '',
        })
      if (name === 'workbookPr') from1904 = /^(?:1|true|t|on)$/i.test(attributes['date1904'] ?? '')
    },
  })
  return { sheets, from1904 }
}

/** Worksheets only: a sheet may hold nothing but a chart. */
const sheetTargets = (xml: string, folder: string): ReadonlyMap<string, string> => {
  const targets = new Map<string, string>()
  parsePart(
    xml,
    {
      open: ({ attributes: { Id: id, Type: type = '', Target: target } }) => {
        if (id === undefined || target === undefined || !type.endsWith('/worksheet')) return
        targets.set(id, target.startsWith('/') ? target.slice(1) : posix.join(folder, target))
      },
    },
    RELATIONSHIPS,
  )
  return targets
}

/** A text and its runs of rich text joined, phonetic hints left out. */
export class RichText {
  private plain = ''
  private runs = ''
  private inText = false
  private inRun = false
  private hints = 0

  open(name: string): void {
    if (name === 'rPh') this.hints += 1
    if (name === 'r') this.inRun = true
    this.inText = name === 't' && this.hints === 0
    if (this.inText && !this.inRun) this.plain = ''
  }

  add(text: string): void {
    if (!this.inText) return
    if (this.inRun) this.runs += text
    else this.plain += text
  }

  close(name: string): void {
    this.inText = false
    if (name === 'rPh') this.hints -= 1
    if (name === 'r') this.inRun = false
  }

  get value(): string {
    return this.plain + this.runs
  }
}

const sharedStrings = (xml: string): readonly string[] => {
  const strings: string[] = []
  let text = new RichText()
  parsePart(xml, {
    open: ({ name }) => {
      if (name === 'si') text = new RichText()
      else text.open(name)
    },
    text: (more) => text.add(more),
    close: (name) => {
      text.close(name)
      // Excel escapes an underscore that starts a look-alike of its own escapes; openpyxl undoes only that.
      if (name === 'si') strings.push(text.value.replaceAll('x005F_', ''))
    },
  })
  return strings
}

const cellStyles = (xml: string): readonly Shown[] => {
  const custom = new Map<number, Shown>()
  const styles: Shown[] = []
  let inCells = false
  parsePart(xml, {
    open: ({ name, attributes }) => {
      const id = Number(attributes['numFmtId'])
      if (name === 'numFmt') custom.set(id, shownByCode(attributes['formatCode'] ?? ''))
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) styles.push(custom.get(id) ?? shownByNumber(id))
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

/** What a number stands for by its format. */
type Shown = 'number' | 'date' | 'duration'

/** Formats that a workbook need not declare and that show dates or times. */
const BUILT_IN: ReadonlyMap<number, Shown> = new Map([
  ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47].map((id) => [id, 'date'] as const),
  [46, 'duration'],
])

export const shownByNumber = (id: number): Shown => BUILT_IN.get(id) ?? 'number'

/** Texts in quotes, and brackets other than those of hours, minutes or seconds. */
const ASIDE = /".*?"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]/g
const DURATION = /\[hh?\](?::mm(?::ss(?:\.0*)?)?)?|\[mm?\](?::ss(?:\.0*)?)?|\[ss?\](?:\.0*)?/i

/** What a format code shows, by its part for positive numbers, as openpyxl decides it. */
export const shownByCode = (code: string): Shown => {
  const positive = code.split(';')[0] ?? ''
  if (!/(?<![_\\])[dmhys]/i.test(positive.replaceAll(ASIDE, ''))) return 'number'
  return DURATION.test(positive) ? 'duration' : 'date'
}

/** A tag of SpreadsheetML, without its prefix. */
export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** How many elements it lies in. */
  readonly depth: number
}

interface Handlers {
  readonly open?: (tag: Tag) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/**
 * Reads a part of a workbook; tags of other vocabularies than `namespace` are passed with an empty name. Attributes keep
 * their prefix.
 * @throws Error of the parser for what is no well-formed XML
 */
export const parsePart = (xml: string, handlers: Handlers, namespace = MAIN): void => {
  if (xml === '') return
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  const nameOf = ({ uri, local }: SaxesTagNS): string => (uri === namespace ? local : '')
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(
      Object.values(tag.attributes).map(({ name, value }) => [name, value]),
    )
    handlers.open?.({ name: nameOf(tag), attributes, depth })
    depth += 1
  })
  const { text, close } = handlers
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  parser.on('closetag', (tag) => {
    depth -= 1
    close?.(nameOf(tag))
  })
  parser.write(xml).close()
}
