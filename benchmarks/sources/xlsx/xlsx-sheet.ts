import { ProblemError } from '../../../cache/problems/problem.ts'
import { safeText, type SafeText } from '../../../cache/problems/safe-text.ts'
import { FormatError, unreadProblem } from '../format-error.ts'
import { pyFloat, pyInt } from '../../python/numbers/number.ts'
import type { RawCell } from '../csv/raw-cell.ts'
import { excelDate, excelDuration, isoDate } from './date.ts'
import { openWorkbook, RichText, type SheetEntry, type Workbook } from './workbook.ts'
import { parsePart, type Tag } from './xml.ts'

/** Cells that hold something, by row and column from 0 on. */
export interface Sheet {
  readonly rows: ReadonlyMap<number, ReadonlyMap<number, RawCell>>
  /** Ranges that are one cell to who looks at them, such as `A2:A4`: the first of their cells alone holds something. */
  readonly merged: readonly string[]
  /** Formulas that were never calculated, such as `C4`: their cells hold nothing. */
  readonly uncalculated: readonly string[]
}

/**
 * A sheet of an xlsx workbook, as openpyxl gives its cells: text unaltered, runs of rich text joined, phonetic
 * hints left out, numbers of any size as written, the last calculated value of a formula, dates, times and durations as
 * Python prints them. An error cell is NaN.
 *
 * @param choose which sheet; the first where it is absent, be it hidden
 * @throws ProblemError `benchmarks/xlsx`, with row and column where it is one cell's
 */
export const xlsxSheet = (
  bytes: Uint8Array,
  file: string,
  choose: (sheets: readonly SheetEntry[]) => SheetEntry | undefined = ([first]) => first,
): Sheet => {
  if (Buffer.from(bytes.subarray(0, OLE.length)).equals(OLE))
    throw unread(file, new FormatError(safeText`it is encrypted, or in the format of Excel before 2007`))
  try {
    const book = openWorkbook(bytes, file, choose)
    return new SheetReader(book, file).read()
  } catch (error) {
    const [problem] = error instanceof ProblemError ? error.problems : []
    if (problem?.code === CODE) throw error
    // What is wrong with the archive or one of its parts is wrong with the workbook.
    throw unread(file, problem?.safe === undefined ? error : new FormatError(problem.safe))
  }
}

/** How compound files begin: encrypted workbooks and old ones. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const CODE = 'benchmarks/xlsx'

const unread = (file: string, cause: unknown): ProblemError =>
  unreadProblem({ code: CODE, format: 'an Excel workbook', file, remedy: 'Save it again as .xlsx.' }, cause)

const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384

class SheetReader {
  private readonly book: Workbook
  private readonly file: string
  private readonly rows = new Map<number, ReadonlyMap<number, RawCell>>()
  private readonly merged: string[] = []
  private readonly uncalculated: string[] = []
  /** From 1, as the sheet counts. */
  private row = 0
  private column = 0
  /** The last row that was kept: openpyxl skips those that come again or late. */
  private last = 0
  private cells = new Map<number, RawCell>()
  /** Of the cell that is read: its depth, what it says of itself, its value and its own text. */
  private depth = Number.POSITIVE_INFINITY
  private name = ''
  private type = ''
  private style = 0
  private formula = false
  private hasValue = false
  private value: string | undefined
  private inValue = false
  private inline: RichText | undefined

  constructor(book: Workbook, file: string) {
    this.book = book
    this.file = file
  }

  read(): Sheet {
    parsePart(this.book.sheet, {
      open: (tag) => this.open(tag),
      text: (text) => {
        if (this.inValue) this.value = (this.value ?? '') + text
        else this.inline?.add(text)
      },
      close: (name) => this.close(name),
    })
    const { rows, merged, uncalculated } = this
    return { rows, merged, uncalculated }
  }

  private open({ name, attributes, depth }: Tag): void {
    if (name === 'row') {
      this.row = Number(attributes['r'] ?? this.row + 1)
      this.column = 0
      this.cells = new Map()
      if (!Number.isInteger(this.row) || this.row < 1 || this.row > MOST_ROWS)
        throw this.problem(safeText`has a number that no row can have`)
    } else if (name === 'c') this.openCell(attributes, depth)
    else if (name === 'mergeCell') this.merged.push(attributes['ref'] ?? '')
    // What lies deeper, such as an extension's own values, is none of the cell.
    else if (depth === this.depth + 1) {
      this.inValue = name === 'v' && this.value === undefined
      this.formula ||= name === 'f'
      this.hasValue ||= name === 'v'
      if (name === 'is') this.inline = new RichText()
    } else if (depth > this.depth) {
      this.inValue = false
      this.inline?.open(name)
    }
  }

  private openCell(attributes: Tag['attributes'], depth: number): void {
    const letters = /^[A-Z]+/i.exec(attributes['r'] ?? '')?.[0].toUpperCase()
    this.column = letters === undefined ? this.column + 1 : columnNumber(letters)
    if (this.column > MOST_COLUMNS) throw this.problem(safeText`has a column that no sheet can have`)
    this.depth = depth
    this.name = attributes['r'] ?? ''
    this.formula = false
    this.hasValue = false
    this.type = attributes['t'] ?? 'n'
    this.style = Number(attributes['s'] ?? 0)
    this.value = undefined
    this.inline = undefined
  }

  private close(name: string): void {
    this.inValue = false
    this.inline?.close(name)
    if (name === 'c') {
      this.depth = Number.POSITIVE_INFINITY
      if (this.formula && !this.hasValue) this.uncalculated.push(this.name)
      const cell = this.cell()
      if (cell === undefined) this.cells.delete(this.column - 1)
      else this.cells.set(this.column - 1, cell)
    }
    if (name === 'row' && this.row > this.last) {
      this.last = this.row
      // openpyxl makes a row as long as its last cell says.
      const kept = [...this.cells].filter(([column]) => column < this.column)
      if (kept.length > 0) this.rows.set(this.row - 1, new Map(kept))
    }
  }

  private cell(): RawCell {
    const { type, value } = this
    if (type === 'inlineStr') return this.inline?.value
    if (value === undefined || value === '') return undefined
    if (type === 'e') return Number.NaN
    if (type === 'n') return this.number(value)
    if (type === 'b') return this.integer(value, safeText`a truth value`) !== 0
    if (type === 'd') return isoDate(value) ?? this.refuse(safeText`a date that is none`)
    if (type !== 's') return value
    const at = Number(this.integer(value, safeText`a text`))
    // Python counts negative places from the end.
    return this.book.strings.at(at) ?? this.refuse(safeText`a text that the workbook does not have`)
  }

  private integer(value: string, what: SafeText): number | bigint {
    return pyInt(value) ?? this.refuse(safeText`${what} that is none`)
  }

  private number(value: string): RawCell {
    const number = /[.eE]/.test(value) ? pyFloat(value) : pyInt(value)
    if (number === undefined) return this.refuse(safeText`a number that is none`)
    const shown = this.book.styles[this.style] ?? 'number'
    // Days that Python does not have are an error cell.
    if (shown === 'duration') return excelDuration(Number(number)) ?? Number.NaN
    if (shown === 'date') return excelDate(Number(number), this.book.from1904) ?? Number.NaN
    if (typeof number === 'bigint' || !Number.isInteger(number)) {
      if (typeof number === 'number' && !Number.isFinite(number))
        return this.refuse(safeText`a number without end`)
      return number
    }
    return Number.isSafeInteger(number) ? number + 0 : BigInt(number)
  }

  private refuse(what: SafeText): never {
    throw this.problem(safeText`holds ${what}`, this.column)
  }

  private problem(what: SafeText, column?: number): ProblemError {
    const row = safeText`sheet row ${this.row} ${what}`
    const text = column === undefined ? row : safeText`column ${column} of ${row}`
    return new ProblemError({
      code: CODE,
      message: text,
      safe: text,
      where: { file: this.file, line: this.row, ...(column === undefined ? {} : { column }) },
      remedy: 'Write the cell anew, or save the workbook again as .xlsx.',
    })
  }
}

/** `A` → 1, `AA` → 27. */
const columnNumber = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
