import { asFloat } from '../../python/numbers/number.ts'
import { safeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import { unreadProblem } from '../unread-problem.ts'
import { rowLimit, UnpackBudget } from '../unpack-limit.ts'
import { tableFromIPC, Type, type Column, type Table as ArrowTable } from '@uwdata/flechette'
import { leaveBuffersPacked, columnCells } from './column-cells.ts'
import { isForeign } from './foreign-type.ts'
import { checkLengths } from './check-lengths.ts'
import type { PyValue } from '../../python/value.ts'
import { pandasMetadata } from '../csv/pandas-metadata.ts'
import type { Table } from '../table.ts'

/**
 * An Arrow IPC file (Feather version 2), LZ4 or Zstandard unpacked, as pandas' `read_feather` and `iterrows` give it.
 *
 * @param wanted columns whose cells are read; others are left packed. All where it is absent.
 * @throws ProblemError `benchmarks/arrow`
 */
export const arrowTable = (bytes: Uint8Array, file: string, wanted?: readonly string[]): Table => {
  const arrow = guarded(file, undefined, () => openFile(bytes))
  const budget = new UnpackBudget(bytes.length)
  const notes = guarded(file, undefined, () => pandasMetadata(arrow.schema.metadata?.get('pandas')))
  const names = [...new Set(arrow.names)].filter((name) => !notes(name).index)
  const columns = names
    .filter((name) => wanted?.includes(name) ?? true)
    .map((name) => {
      const cells = guarded(file, name, () =>
        columnCells(onlyColumn(arrow, name), budget, notes(name).nullable),
      )
      return [name, cells] as const
    })
  const cell = widensRows(
    names.map((name) => arrow.getChild(name)),
    names.map((name) => notes(name).nullable),
  )
    ? asFloat
    : (value: PyValue) => value
  const rows = Array.from({ length: arrow.numRows }, (_, index) => ({
    cells: new Map(columns.map(([name, cells]) => [name, cell(cells[index] ?? null)])),
    row: index + 1,
  }))
  return { file, columns: names, rows }
}

/** Of numbers alone iterrows makes rows of one type: floats where a column has floats or gaps, or no integer holds both. */
const widensRows = (columns: readonly Column<unknown>[], nullable: readonly boolean[]): boolean => {
  // Categories count as what they are of.
  const types = columns.map(({ type }) => (type.typeId === Type.Dictionary ? type.dictionary : type))
  if (!types.every(({ typeId }) => typeId === Type.Int || typeId === Type.Float) || nullable.includes(true))
    return false
  const integers = types.flatMap((type) => (type.typeId === Type.Int ? [type] : []))
  return (
    integers.length < types.length ||
    columns.some(({ nullCount }) => nullCount > 0) ||
    (integers.some(({ bitWidth, signed }) => bitWidth === 64 && !signed) &&
      integers.some(({ signed }) => signed))
  )
}

const openFile = (bytes: Uint8Array): ArrowTable => {
  const marks = [bytes.subarray(0, 6), bytes.subarray(-6)].map((mark) => Buffer.from(mark).toString('latin1'))
  if (marks[0]?.startsWith('FEA1') === true) throw new FormatError(safeText`it is Feather version 1`)
  if (!marks.every((mark) => mark === 'ARROW1'))
    throw new FormatError(safeText`it is none, or its end is missing`)
  checkLengths(bytes, rowLimit(bytes.length))
  leaveBuffersPacked()
  // Buffers are read where they lie, which takes a start that is a multiple of eight.
  return tableFromIPC(bytes.byteOffset % 8 === 0 ? bytes : bytes.slice())
}

/** Columns may share a name; which of them is meant nobody knows. */
const onlyColumn = (arrow: ArrowTable, name: string): Column<unknown> => {
  if (arrow.names.indexOf(name) < arrow.names.lastIndexOf(name))
    throw new FormatError(safeText`another column has this name, too`, 'Rename one of them.')
  if (isForeign(arrow.schema.fields.find((field) => field.name === name)))
    throw new FormatError(
      safeText`it holds values of a type of its own`,
      'Write the column as text, or as numbers.',
    )
  return arrow.getChild(name)
}

const guarded = <T>(file: string, column: string | undefined, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    // A damaged file leads the reader astray in many ways; the user can do one thing about all of them.
    throw unreadProblem(
      {
        code: 'benchmarks/arrow',
        format: 'an Arrow file',
        file,
        ...(column === undefined ? {} : { column }),
        remedy: 'Write the table with DataFrame.to_feather of pandas, or fetch the file again.',
      },
      error,
    )
  }
}
