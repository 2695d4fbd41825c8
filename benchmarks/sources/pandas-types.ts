import { float } from '../python/float.ts'
import type { PyValue } from '../python/value.ts'
import { pandasFloat } from './pandas-float.ts'

/** Texts that pandas reads as missing by default (HELM.md B11): case counts, blanks are not cut. */
const NA_TEXTS: ReadonlySet<string> = new Set(
  '|#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null'.split(
    '|',
  ),
)

export const isNaText = (text: string): boolean => NA_TEXTS.has(text)

const INTEGER = /^[ \t\v\f]*[+-]?\d+[ \t\v\f]*$/
const TRUTH = /^(?:true|false)$/i

/** A cell before typing: CSV gives text only, spreadsheets numbers and truth values too; undefined where there is none. */
export type RawCell = string | number | boolean | undefined

/**
 * What pandas and then `iterrows` make of a table's cells: a column is all integers, else all numbers, else all true or
 * false, else as it was; missing cells are NaN and turn integers into floats. A table of numbers only gives floats as
 * soon as one column holds floats, since iterrows gives each row one type.
 * @param naTexts false: no text means a missing cell, and cells that a short row lacks are empty
 */
export const inferTypes = (
  rows: readonly (readonly RawCell[])[],
  naTexts = true,
): readonly (readonly PyValue[])[] => {
  const width = rows[0]?.length ?? 0
  const columns = Array.from({ length: width }, (_, column) => {
    const raw = rows.map((row) => row[column])
    return inferColumn(
      naTexts ? raw : raw.map((cell) => cell ?? ''),
      naTexts ? isMissingCell : (): boolean => false,
    )
  })
  const numeric = columns.every(({ type }) => type === 'int' || type === 'float')
  const widen = numeric && columns.some(({ type }) => type === 'float')
  return rows.map((_, row) =>
    columns.map(({ cells }) => {
      const cell = cells[row] ?? NaN
      return widen ? asFloat(cell) : cell
    }),
  )
}

interface Column {
  readonly type: 'int' | 'float' | 'bool' | 'mixed'
  readonly cells: readonly PyValue[]
}

const inferColumn = (raw: readonly RawCell[], isMissing: (cell: RawCell) => boolean): Column => {
  const present = raw.filter((cell) => !isMissing(cell))
  const each = (type: Column['type'], read: (cell: string | number | boolean) => PyValue): Column => ({
    type,
    cells: raw.map((cell) => (cell === undefined || isMissing(cell) ? NaN : read(cell))),
  })
  const gaps = present.length < raw.length
  if (!gaps && present.length > 0 && present.every((cell) => typeof cell === 'boolean'))
    return each('bool', (cell) => cell)
  if (present.every((cell) => typeof cell === 'boolean' || INTEGER.test(String(cell)))) {
    if (!fitsInteger(present.map(wholeOf))) return each('mixed', (cell) => cell)
    return gaps ? each('float', readFloat) : each('int', readInteger)
  }
  if (present.every((cell) => numberIn(cell) !== undefined)) return each('float', readFloat)
  if (present.every((cell) => typeof cell === 'string' && TRUTH.test(cell)))
    return each('bool', (cell) => String(cell).toLowerCase() === 'true')
  return each('mixed', (cell) => cell)
}

const isMissingCell = (cell: RawCell): boolean =>
  cell === undefined || (typeof cell === 'string' && isNaText(cell))

const numberIn = (cell: RawCell): number | undefined => {
  if (typeof cell === 'number' || typeof cell === 'boolean') return Number(cell)
  return typeof cell === 'string' ? pandasFloat(cell) : undefined
}

/** int64, or uint64 where nothing is negative. */
const fitsInteger = (values: readonly bigint[]): boolean => {
  const low = values.some((value) => value < 0n) ? -(2n ** 63n) : 0n
  const high = low < 0n ? 2n ** 63n : 2n ** 64n
  return values.every((value) => value >= low && value < high)
}

/** A truth value of a spreadsheet counts as 1 or 0 among numbers. */
const wholeOf = (cell: RawCell): bigint =>
  BigInt(typeof cell === 'boolean' ? Number(cell) : String(cell).trim().replace('+', ''))

const readInteger = (cell: RawCell): PyValue => {
  const value = wholeOf(cell)
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

const readFloat = (cell: RawCell): PyValue => asFloat(numberIn(cell) ?? NaN)

/** Whole floats are kept as Float, so that they print as `5.0`. */
const asFloat = (value: PyValue): PyValue => {
  if (typeof value === 'bigint') return float(Number(value))
  return typeof value === 'number' && Number.isInteger(value) ? float(value) : value
}
