import { strFromU8, unzipSync } from 'fflate'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { ProblemError } from '../../cache/problem.ts'
import { excelDate } from './excel-date.ts'
import type { RawCell } from './pandas-types.ts'

/** Rows of cells from row 1 on, gaps filled with undefined; every row as long as the widest. */
export type Sheet = readonly (readonly RawCell[])[]

/**
 * The first sheet of an xlsx workbook, as openpyxl gives its cells: text unaltered, runs of rich text joined, phonetic
 * hints left out, the last calculated value of a formula, dates and times as Python prints them. An error cell is empty.
 *
 * @throws ProblemError `benchmarks/xlsx`, `benchmarks/xlsx-date` (row and column)
 */
export const xlsxSheet = (bytes: Uint8Array, file: string): Sheet => {
  try {
    return readSheet(bytes, file)
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw xlsxProblem(
      file,
      `a part of it is damaged (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

const readSheet = (bytes: Uint8Array, file: string): Sheet => {
  const part = partsOf(bytes, file)
  const book = part('xl/workbook.xml')
  const target = firstSheet(book, part('xl/_rels/workbook.xml.rels'), file)
  const strings = sharedStrings(part('xl/sharedStrings.xml', ''))
  const dates = dateStyles(part('xl/styles.xml', ''))
  const from1904 = /<workbookPr[^>]* date1904="(?:1|true)"/.test(book)
  return new SheetReader(strings, { dates, from1904 }, file).read(part(target))
}

/** How compound files begin: encrypted workbooks and old ones. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

type Parts = (name: string, absent?: string) => string

const partsOf = (bytes: Uint8Array, file: string): Parts => {
  let entries: Readonly<Record<string, Uint8Array>>
  if (Buffer.from(bytes.subarray(0, OLE.length)).equals(OLE))
    throw xlsxProblem(file, 'it is encrypted, or in the format of Excel before 2007')
  try {
    entries = unzipSync(bytes)
  } catch (error) {
    throw xlsxProblem(file, `it is no zip archive (${String(error)})`)
  }
  return (name, absent) => {
    const entry = entries[name]
    if (entry !== undefined) return strFromU8(entry)
    if (absent !== undefined) return absent
    throw xlsxProblem(file, `it has no part ${name}`)
  }
}

const xlsxProblem = (file: string, reason: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/xlsx',
    message: `${file} can't be read as an Excel workbook: ${reason}`,
    where: { file },
    remedy: 'Save it again as .xlsx.',
  })

interface Handlers {
  readonly open?: (tag: SaxesTagPlain) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

const parseXml = (xml: string, handlers: Handlers): void => {
  if (xml === '') return
  const parser = new SaxesParser({})
  parser.on('error', (error) => {
    throw error
  })
  if (handlers.open) parser.on('opentag', handlers.open)
  if (handlers.text) {
    parser.on('text', handlers.text)
    parser.on('cdata', handlers.text)
  }
  const { close } = handlers
  if (close) parser.on('closetag', ({ name }) => close(name))
  parser.write(xml).close()
}

const firstSheet = (workbook: string, relations: string, file: string): string => {
  const ids: string[] = []
  parseXml(workbook, {
    open: ({ name, attributes }) => name === 'sheet' && ids.push(attributes['r:id'] ?? ''),
  })
  const targets = new Map<string, string>()
  const open = ({ attributes }: SaxesTagPlain): unknown =>
    targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '')
  parseXml(relations, { open })
  const target = targets.get(ids[0] ?? '')
  if (target === undefined) throw xlsxProblem(file, 'it has no sheet')
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

const sharedStrings = (xml: string): readonly string[] => {
  const strings: string[] = []
  let text = ''
  let inText = false
  let inHint = false
  parseXml(xml, {
    open: ({ name }) => {
      if (name === 'si') text = ''
      inHint ||= name === 'rPh'
      inText = name === 't' && !inHint
    },
    text: (more) => {
      if (inText) text += more
    },
    close: (name) => {
      inText = false
      if (name === 'rPh') inHint = false
      // Excel escapes an underscore that starts a look-alike of its own escapes; openpyxl undoes only that.
      if (name === 'si') strings.push(text.replaceAll('x005F_', ''))
    },
  })
  return strings
}

/** What a number stands for by its format. */
type Shown = 'number' | 'date' | 'duration'

/** Built-in number formats of dates and times. */
const builtIn = (id: number): Shown => (id === 46 ? 'duration' : isDateFormat(id) ? 'date' : 'number')

const isDateFormat = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** What each cell style shows a number as. */
const dateStyles = (xml: string): readonly Shown[] => {
  const custom = new Map<number, Shown>()
  const styles: Shown[] = []
  let inCells = false
  parseXml(xml, {
    open: ({ name, attributes }) => {
      const id = Number(attributes['numFmtId'])
      const code = (attributes['formatCode'] ?? '').replace(/"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]/gi, '')
      if (name === 'numFmt') custom.set(id, shownBy(code))
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) styles.push(custom.get(id) ?? builtIn(id))
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

/** By a format code without its texts and colours; hours in brackets go beyond a day. */
const shownBy = (code: string): Shown => {
  if (/\[[hms]+\]/i.test(code)) return 'duration'
  return /[dmhys]/i.test(code) ? 'date' : 'number'
}

/** How a workbook writes dates. */
interface DateRules {
  readonly dates: readonly Shown[]
  readonly from1904: boolean
}

class SheetReader {
  private readonly strings: readonly string[]
  private readonly rules: DateRules
  private readonly file: string
  private readonly rows: RawCell[][] = []
  private width = 0
  private row = 0
  private column = 0
  private type = ''
  private style = 0
  private value: string | undefined
  private inValue = false

  constructor(strings: readonly string[], rules: DateRules, file: string) {
    this.strings = strings
    this.rules = rules
    this.file = file
  }

  read(xml: string): Sheet {
    parseXml(xml, {
      open: (tag) => this.open(tag),
      text: (text) => {
        if (this.inValue) this.value = (this.value ?? '') + text
      },
      close: (name) => this.close(name),
    })
    return this.rows.map((row) => Array.from({ length: this.width }, (_, column) => row[column]))
  }

  private open({ name, attributes }: SaxesTagPlain): void {
    if (name === 'row') {
      this.row = Number(attributes['r'] ?? this.row + 1)
      this.column = 0
      while (this.rows.length < this.row) this.rows.push([])
    } else if (name === 'c') {
      const letters = /^[A-Z]+/.exec(attributes['r'] ?? '')?.[0]
      this.column = letters === undefined ? this.column + 1 : columnNumber(letters)
      this.type = attributes['t'] ?? 'n'
      this.style = Number(attributes['s'] ?? 0)
      this.value = undefined
    }
    this.inValue = name === 'v' || (name === 't' && this.type === 'inlineStr')
  }

  private close(name: string): void {
    this.inValue = false
    if (name !== 'c') return
    const cell = this.cell()
    if (cell === undefined) return
    this.width = Math.max(this.width, this.column)
    const row = this.rows[this.row - 1]
    if (row) row[this.column - 1] = cell
  }

  private cell(): RawCell {
    const { value } = this
    if (value === undefined || this.type === 'e') return undefined
    if (this.type === 's') return this.strings[Number(value)]
    if (this.type === 'b') return value === '1'
    if (this.type === 'str' || this.type === 'inlineStr') return value
    const shown = this.rules.dates[this.style] ?? 'number'
    if (this.type === 'd' || shown === 'duration') throw this.dateProblem()
    return shown === 'date' ? excelDate(Number(value), this.rules.from1904) : Number(value)
  }

  private dateProblem(): ProblemError {
    return new ProblemError({
      code: 'benchmarks/xlsx-date',
      message: `column ${this.column} of sheet row ${this.row} holds a duration or a date in ISO form`,
      where: { file: this.file, line: this.row, column: this.column },
      remedy: 'Format the cell as text and write it as it should appear in the prompt.',
    })
  }
}

/** `A` → 1, `AA` → 27. */
const columnNumber = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
