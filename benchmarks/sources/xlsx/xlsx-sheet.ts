import { ProblemError, safeText, type SafeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import { unreadProblem } from '../unread-problem.ts'
import { pyFloat, pyInt, roundHalfEven } from '../../python/numbers/number.ts'
import type { RawCell, TimeCell } from '../csv/pandas-types.ts'
import { openWorkbook, RichText, type SheetEntry, type Workbook, parsePart, type Tag } from './workbook.ts'
import { dateText, durationText, timeText } from '../../python/time-text.ts'

/** Cells that hold something, by row and column from 0 on. */
export interface Sheet {
  readonly rows: ReadonlyMap<number, ReadonlyMap<number, RawCell>>
  /** Rows that whoever looks at it does not see, as a filter leaves. */
  readonly hidden: ReadonlySet<number>
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
    throw unread(
      file,
      new FormatError(
        safeText`it is encrypted, or in the format of Excel before 2007`,
        'Save it again as .xlsx, without a password.',
      ),
    )
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
  private readonly hidden = new Set<number>()
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
    const { rows, hidden, merged, uncalculated } = this
    return { rows, hidden, merged, uncalculated }
  }

  private open({ name, attributes, depth }: Tag): void {
    if (name === 'row') {
      this.row = Number(attributes['r'] ?? this.row + 1)
      this.column = 0
      this.cells = new Map()
      if (!Number.isInteger(this.row) || this.row < 1 || this.row > MOST_ROWS)
        throw this.problem(safeText`has a number that no row can have`)
      if (/^(?:1|true)$/.test(attributes['hidden'] ?? '')) this.hidden.add(this.row - 1)
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
      // An empty text is a value; an empty value of another type is what programs write that do not calculate.
      if (this.formula && (this.type === 'str' ? !this.hasValue : !this.value))
        this.uncalculated.push(this.name)
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

const DAY = 86_400_000
const DAY_MICROSECONDS = 86_400_000_000

/** What a nanosecond count of 64 bits reaches, in days since 1970. */
const PANDAS_DAYS = 106_751

/**
 * A cell's number as a date, as openpyxl reads and Python prints it: `2024-01-05 08:30:00`, a number below one as the
 * time of day `08:30:00`; fractions of a second, to the millisecond, follow as microseconds. Undefined for days that
 * Python does not have, which openpyxl makes an error cell.
 *
 * @param serial days since the last but one day of 1899, or since 1904 began
 */
export const excelDate = (serial: number, from1904: boolean): TimeCell | undefined => {
  const whole = Math.floor(serial)
  const time = roundHalfEven((serial - whole) * DAY)
  if (serial >= 0 && serial < 1 && time < DAY) return { kind: 'time', text: clock(time * 1000) }
  // Excel's year 1900 has a 29th of February.
  const shift = !from1904 && serial > 0 && serial < 60 ? 1 : 0
  const start = (from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)) / DAY
  const day = start + whole + shift + (time === DAY ? 1 : 0)
  return dateTime(day, time === DAY ? 0 : time * 1000)
}

/** Undefined for days that Python does not have. @param day since 1970 */
const dateTime = (day: number, microseconds: number): TimeCell | undefined => {
  const year = new Date(day * DAY).getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return undefined
  const text = `${dateText(day)} ${clock(microseconds)}`
  return { kind: 'datetime', text, ...(Math.abs(day) < PANDAS_DAYS ? {} : { beyond: true }) }
}

const clock = (microseconds: number): string => timeText(BigInt(microseconds), 'us')

/** A cell's number as a duration in days, to the millisecond; undefined for more than Python has. */
const excelDuration = (days: number): TimeCell | undefined => {
  if (!(Math.abs(days) <= 999_999_999)) return undefined
  const whole = Math.trunc(days)
  const micro =
    BigInt(whole) * BigInt(DAY_MICROSECONDS) + BigInt(roundHalfEven((days - whole) * DAY_MICROSECONDS))
  const part = Number(((micro % 1_000_000n) + 1_000_000n) % 1_000_000n)
  return duration(micro - BigInt(part) + BigInt(roundHalfEven(part / 1000) * 1000))
}

/** `str(datetime.timedelta)`, and pandas' own way. @param micro microseconds */
const duration = (micro: bigint): TimeCell => {
  const size = BigInt(DAY_MICROSECONDS)
  const rest = ((micro % size) + size) % size
  const days = (micro - rest) / size
  const plain = timeText(rest, 'us').replace(/^0/, '')
  const text = days === 0n ? plain : `${days} day${days === 1n || days === -1n ? '' : 's'}, ${plain}`
  const beyond = days >= BigInt(PANDAS_DAYS) || days <= -BigInt(PANDAS_DAYS)
  return { kind: 'duration', text, inColumn: durationText(micro, 'us'), ...(beyond ? { beyond: true } : {}) }
}

const ISO = /^((\d{4})-(\d{2})-(\d{2}))?T?((\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?)?/
const ISO_DURATION = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?/

/** The text of a cell that holds a date in ISO form, as openpyxl reads it; undefined for what it takes for none. */
export const isoDate = (text: string): TimeCell | undefined => {
  const found = ISO.exec(text)
  if (found?.[1] !== undefined || found?.[5] !== undefined) return fromParts(found)
  const parts = ISO_DURATION.exec(text)
  if (parts === null || parts.slice(1).every((part) => part === undefined)) return undefined
  const [hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0))
  const whole = BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n
  return duration(whole * 1_000_000n + BigInt(roundHalfEven((seconds ?? 0) * 1_000_000)))
}

const fromParts = (found: readonly (string | undefined)[]): TimeCell | undefined => {
  const [, date, year, month, day, time, hour, minute, second, fraction] = found
  const [h, m, s] = [hour, minute, second].map((part) => Number(part ?? 0)) as [number, number, number]
  if (h > 23 || m > 59 || s > 59) return undefined
  const microseconds = ((h * 60 + m) * 60 + s) * 1_000_000 + Math.trunc(Number(fraction ?? 0) * 1_000_000)
  if (date === undefined) return { kind: 'time', text: clock(microseconds) }
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // JavaScript takes the 30th of February for one of March.
  if (Number.isNaN(at.getTime()) || at.getUTCDate() !== Number(day) || Number(year) < 1) return undefined
  if (time === undefined) return { kind: 'date', text: date }
  return dateTime(at.getTime() / DAY, microseconds)
}
