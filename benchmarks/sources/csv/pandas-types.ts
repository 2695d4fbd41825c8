import { asFloat } from '../../python/numbers/number.ts'
import type { PyValue } from '../../python/value.ts'

/** Texts that pandas reads as missing by default (HELM.md B11): case counts, blanks are not cut. */
const NA_TEXTS: ReadonlySet<string> = new Set(
  '|#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null'.split(
    '|',
  ),
)

const INTEGER = /^[ \t-\r]*[+-]?\d+[ \t-\r]*$/
const TRUTH = /^(?:true|false)$/i

/** A column of a data frame: the cell of each row. */
type TypedCells = (row: number) => PyValue

/**
 * What pandas and then `iterrows` make of a table's cells: a column is all integers, else all numbers, else all true or
 * false, else all times of one kind, else as it was; missing cells are NaN and turn integers into floats. A table of
 * numbers only gives floats as soon as one column holds floats, or one integers beyond int64 beside smaller ones, since
 * iterrows gives each row one type.
 * @param columns cells by row, missing ones left out
 * @param height rows of the table
 * @param naTexts false: no text means a missing cell
 * @param isText of a file of texts, not of a sheet
 */
export const inferColumns = (
  columns: readonly ReadonlyMap<number, RawCell>[],
  height: number,
  naTexts = true,
  isText = false,
): readonly TypedCells[] => {
  const isMissing = naTexts ? isMissingCell : (): boolean => false
  const inferred = columns.map((cells) => inferColumn(cells, height, isMissing, isText))
  const types = new Set(inferred.map(({ type }) => type))
  const numeric = [...types].every((type) => type === 'int' || type === 'uint' || type === 'float')
  const widens = numeric && (types.has('float') || (types.has('uint') && types.has('int')))
  return inferred.map(({ cell }) => (widens ? (row) => asFloat(cell(row)) : cell))
}

/** The same for rows of texts, of which short ones lack cells. @param naTexts false: these are empty texts */
export const inferTypes = (
  rows: readonly (readonly RawCell[])[],
  naTexts = true,
): readonly (readonly PyValue[])[] => {
  const columns = Array.from({ length: rows[0]?.length ?? 0 }, (_, column) => {
    const cells = rows.map((row) => row[column] ?? (naTexts ? undefined : ''))
    return new Map(cells.entries())
  })
  const typed = inferColumns(columns, rows.length, naTexts, true)
  return rows.map((_, row) => typed.map((cell) => cell(row)))
}

interface Column {
  readonly type: 'int' | 'uint' | 'float' | 'bool' | 'mixed'
  readonly cell: TypedCells
}

type Present = Exclude<RawCell, undefined>

const inferColumn = (
  raw: ReadonlyMap<number, RawCell>,
  height: number,
  isMissing: (cell: RawCell) => boolean,
  isText: boolean,
): Column => {
  const present = [...raw.values()].filter((cell): cell is Present => !isMissing(cell))
  const each = (
    type: Column['type'],
    read: (cell: Present) => PyValue,
    missing: PyValue = Number.NaN,
  ): Column => ({
    type,
    cell: (row) => {
      const cell = raw.get(row)
      return cell === undefined || isMissing(cell) ? missing : read(cell)
    },
  })
  const gaps = present.length < height
  if (!gaps && present.length > 0 && present.every((cell) => typeof cell === 'boolean'))
    return each('bool', (cell) => cell as boolean)
  if (present.every(isWhole)) return wholeColumn(present, { gaps, isText, raw }, each)
  if ((isText ? overflowsInText : overflowsInSheet)(present))
    return isText && passesAsUint64(present) ? asWritten(raw) : each('mixed', plainCell)
  if (present.every((cell) => numberIn(cell) !== undefined))
    return each('float', (cell) => asFloat(numberIn(cell) ?? NaN))
  const first = firstOfEquals(present)
  const truth = (cell: Present): boolean | undefined => truthOf(first(cell))
  if (present.every((cell) => truth(cell) !== undefined)) return each('bool', (cell) => truth(cell) === true)
  const kind = timesOf(present)
  if (kind === undefined) return each('mixed', (cell) => plainCell(first(cell)))
  return each('mixed', (cell) => (isTime(cell) ? (cell.inColumn ?? cell.text) : plainCell(cell)), 'NaT')
}

const truthOf = (cell: Present): boolean | undefined => {
  if (typeof cell === 'boolean') return cell
  return typeof cell === 'string' && TRUTH.test(cell) ? cell.toLowerCase() === 'true' : undefined
}

/** Where a column is no numbers pandas gives a value as the first of its equals, and to Python 1 is equal to True. */
const firstOfEquals = (present: readonly Present[]): ((cell: Present) => Present) => {
  const isOne = (cell: Present): boolean => cell === true || cell === 1
  const isZero = (cell: Present): boolean => cell === false || cell === 0
  const one = present.find(isOne) ?? true
  const zero = present.find(isZero) ?? false
  return (cell) => (isOne(cell) ? one : isZero(cell) ? zero : cell)
}

/** Where the first text that is no integer of 64 bits is one of more, pandas reads none of the column's as numbers. */
const overflowsInSheet = (present: readonly Present[]): boolean => {
  const first = present.find((cell) => !isWhole(cell) || !inRange(wholeOf(cell)))
  return typeof first === 'string' && INTEGER.test(first)
}

/**
 * The same of a file of texts. pandas' C parser looks at the digits that a cell begins with: where those of the first that is
 * no int64 are too many it tries uint64, in which what is negative passes unread, and again goes by the first that is none.
 */
const overflowsInText = (present: readonly Present[]): boolean => {
  const texts = present.map(String)
  const first = texts.find((text) => !isWithin(text, 63n))
  if (first === undefined || isWithin(leadingDigits(first), 63n)) return false
  const next = texts.find((text) => !text.trimStart().startsWith('-') && !isWithin(text, 64n))
  return next === undefined || !isWithin(leadingDigits(next), 64n)
}

/** pandas' look at uint64 goes through, and negatives unread. */
const passesAsUint64 = (present: readonly Present[]): boolean => {
  const unsigned = present.map(String).filter((text) => !text.trimStart().startsWith('-'))
  return unsigned.some((text) => !isWithin(text, 63n)) && unsigned.every((text) => isWithin(text, 64n))
}

/** Missing cells, too. */
const asWritten = (raw: ReadonlyMap<number, RawCell>): Column => ({
  type: 'mixed',
  cell: (row) => plainCell(raw.get(row) ?? ''),
})

const leadingDigits = (text: string): string => /^\s*[+-]?\d+/.exec(text)?.[0] ?? '0'

const isWithin = (text: string, bits: bigint): boolean =>
  INTEGER.test(text) && wholeOf(text) >= -(2n ** 63n) && wholeOf(text) < 2n ** bits

const isTime = (cell: Present): cell is TimeCell => typeof cell === 'object'

/** Of date times or durations alone pandas makes a column of their kind; of times of day and dates it does not. */
const timesOf = (cells: readonly Present[]): TimeCell['kind'] | undefined => {
  const kinds = new Set(
    cells.map((cell) => (isTime(cell) && cell.beyond === undefined ? cell.kind : 'other')),
  )
  const [kind] = kinds
  return kinds.size === 1 && (kind === 'datetime' || kind === 'duration') ? kind : undefined
}

const plainCell = (cell: Present): PyValue => (isTime(cell) ? cell.text : cell)

const isWhole = (cell: Present): cell is Exclude<Present, TimeCell> =>
  typeof cell === 'boolean' || (!isTime(cell) && INTEGER.test(String(cell)))

const wholeColumn = (
  present: readonly Exclude<Present, TimeCell>[],
  {
    gaps,
    isText,
    raw,
  }: { readonly gaps: boolean; readonly isText: boolean; readonly raw: ReadonlyMap<number, RawCell> },
  each: (type: Column['type'], read: (cell: Present) => PyValue) => Column,
): Column => {
  const values = present.map(wholeOf)
  // -0 is one as well.
  const negative = present.some((cell) => /^\s*-/.test(String(cell)))
  const large = values.some((value) => value >= 2n ** 63n && inRange(value))
  const beyond = present.filter((_, index) => !inRange(values[index] ?? 0n))
  // Of a file, negatives pass pandas' look at uint64 unread.
  const unread = (cell: Present): boolean =>
    typeof cell === 'string' && !(large && isText && wholeOf(cell) < 0n)
  if (beyond.some(unread)) return each('mixed', plainCell)
  // Beside integers beyond int64 a missing cell keeps its text.
  if (large && gaps) return asWritten(raw)
  if (large && negative) return each('mixed', plainCell)
  // The least of int64 is what pandas writes where a text is missing.
  const least = (cell: Present): boolean => typeof cell === 'string' && wholeOf(cell) === -(2n ** 63n)
  if (gaps || beyond.length > 0)
    return each('float', (cell) => (least(cell) ? Number.NaN : asFloat(readInteger(cell))))
  return each(large ? 'uint' : 'int', readInteger)
}

const isMissingCell = (cell: RawCell): boolean =>
  cell === undefined ||
  (typeof cell === 'string' && NA_TEXTS.has(cell)) ||
  (typeof cell === 'number' && Number.isNaN(cell))

const numberIn = (cell: RawCell): number | undefined => {
  if (typeof cell === 'number' || typeof cell === 'boolean' || typeof cell === 'bigint') return Number(cell)
  return typeof cell === 'string' ? pandasFloat(cell) : undefined
}

const inRange = (value: bigint): boolean => value >= -(2n ** 63n) && value < 2n ** 64n

/** A truth value of a spreadsheet counts as 1 or 0 among numbers. */
const wholeOf = (cell: Exclude<Present, TimeCell>): bigint =>
  BigInt(typeof cell === 'boolean' ? Number(cell) : String(cell).trim().replace('+', ''))

const readInteger = (cell: Present): PyValue => {
  if (isTime(cell)) return cell.text
  const value = wholeOf(cell)
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

const NUMBER = /^[ \t-\r]*([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?[ \t-\r]*$/
/** No blank stands beside it. */
const INFINITE = /^([+-]?)inf(?:inity)?$/i

/** Digits that pandas looks at; later ones only move the decimal point. */
const MAX_DIGITS = 17

/** Greatest power of ten that is a double. */
const MAX_POWER = 308

/**
 * A number as pandas' C parser reads it: the first 17 digits as a double, multiplied or divided once by a power of ten.
 * The last bit may differ from the correctly rounded value, and so may the printed number.
 * Undefined for what it does not take as a number.
 */
export const pandasFloat = (text: string): number | undefined => {
  const infinite = INFINITE.exec(text)
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity
  const found = NUMBER.exec(text)
  if (!found) return undefined
  const [, sign, whole = '', fraction = found[4] ?? '', , power = '0'] = found
  const digits = (whole + fraction).slice(0, MAX_DIGITS)
  let value = 0
  for (const digit of digits) value = value * 10 + Number(digit)
  const decimals = Math.max(0, digits.length - whole.length)
  const exponent = Math.max(0, whole.length - digits.length) - decimals + Number(power)
  value = scaled(sign === '-' ? -value : value, exponent)
  return Number.isFinite(value) ? value : undefined
}

const scaled = (value: number, exponent: number): number => {
  if (exponent >= 0) return value * powerOfTen(exponent)
  if (exponent >= -MAX_POWER) return value / powerOfTen(-exponent)
  return value / powerOfTen(-MAX_POWER - exponent) / powerOfTen(MAX_POWER)
}

const powerOfTen = (exponent: number): number => Number(`1e${exponent}`)

/**
 * Column names as pandas gives them: an empty header cell is `Unnamed: <column>`, a repeated name is numbered. Who wrote a
 * table with its index twice has both: then the given name stays.
 */
export const pandasNames = (header: readonly string[]): readonly string[] => {
  const names = header.map((cell, column) => (cell === '' ? `Unnamed: ${column}` : cell))
  const taken = new Set(names)
  const seen = new Map<string, number>()
  const isGiven = (column: number): number => Number(header[column] !== '')
  for (const column of [...names.keys()].toSorted((a, b) => isGiven(b) - isGiven(a))) {
    const name = names[column] ?? ''
    let count = seen.get(name) ?? 0
    while (count > 0 && taken.has(`${name}.${count}`)) count++
    if (count > 0) taken.add((names[column] = `${name}.${count}`))
    seen.set(name, count + 1)
  }
  return names
}

/** A date or time of a spreadsheet. */
export interface TimeCell {
  readonly kind: 'datetime' | 'date' | 'time' | 'duration'
  /** As Python prints the value alone. */
  readonly text: string
  /** As pandas prints it in a column that holds nothing else, where that differs. */
  readonly inColumn?: string
  /** It lies outside of what pandas counts in nanoseconds, so that no column of its kind is made of it. */
  readonly beyond?: true
}

/**
 * A cell before typing: CSV gives text only, spreadsheets numbers, truth values and times too; undefined where there is
 * none. Whole numbers are integers, bigint beyond 2^53.
 */
export type RawCell = string | number | bigint | boolean | TimeCell | undefined
