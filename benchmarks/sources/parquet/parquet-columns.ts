import { safeText, ProblemError } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import { unreadProblem } from '../unread-problem.ts'
import type { SchemaElement } from 'hyparquet'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { openReader, type ParquetReader } from './open-reader.ts'
import { pandasMetadata, type PandasColumn } from '../csv/pandas-metadata.ts'

/** What a column's cells are: of times and dates the unit that they count. */
export type ColumnKind = 'day' | 'ms' | 'us' | 'ns' | 'integer' | 'float' | 'bool' | 'text' | 'other'

interface ParquetColumn {
  readonly kind: ColumnKind
  readonly note: PandasColumn
}

/** A Parquet file that is read a row group at a time, so that files larger than the memory can be. */
export interface ParquetColumns {
  readonly file: string
  /** Rows of each row group. */
  readonly groups: readonly number[]
  /** @throws TypeError for a column that was not asked for */
  column(name: string): ParquetColumn
  /**
   * Reads one column of a row group and hands over its cells with their row in the group: integers as bigint or number,
   * dates and times as bigint in their unit, undefined or null where a cell is missing.
   */
  scan(group: number, column: string, onCell: (cell: unknown, row: number) => void): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a Parquet file.
 * @param columns those that must be there
 * @throws ProblemError `benchmarks/parquet`, `benchmarks/missing-column`; Node's error when it can't be opened
 */
export const openParquet = async (file: string, columns: readonly string[]): Promise<ParquetColumns> => {
  let opened: ParquetReader
  try {
    opened = await openReader(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw damaged(file, undefined, error)
  }
  const { metadata, close } = opened
  try {
    const described = describe(file, opened, columns)
    const groups = metadata.row_groups.map(({ num_rows: rows }) => Number(rows))
    return {
      file,
      groups,
      column: (name) => {
        const found = described.get(name)
        if (found === undefined) throw new TypeError(`the column ${name} was not asked for`)
        return found
      },
      scan: async (group, column, onCell) => {
        try {
          let seen = 0
          for (const { cells, from } of await opened.cells(group, column)) {
            for (let index = 0; index < cells.length; index++) onCell(cells[index], from + index)
            seen += cells.length
          }
          if (seen !== groups[group]) throw new FormatError(safeText`it is not as long as its row group`)
        } catch (error) {
          throw error instanceof ProblemError ? error : damaged(file, column, error)
        }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error instanceof ProblemError ? error : damaged(file, undefined, error)
  }
}

const kindOf = ({ type, converted_type: converted, logical_type: logical }: SchemaElement): ColumnKind => {
  if (logical?.type === 'TIMESTAMP')
    return logical.unit === 'NANOS' ? 'ns' : logical.unit === 'MICROS' ? 'us' : 'ms'
  if (converted === 'TIMESTAMP_MILLIS') return 'ms'
  if (converted === 'TIMESTAMP_MICROS') return 'us'
  if (type === 'INT96') return 'ns'
  if (converted === 'DATE') return 'day'
  if (converted === 'UTF8' || logical?.type === 'STRING') return 'text'
  if (type === 'BOOLEAN') return 'bool'
  const whole = converted === undefined || /^U?INT_\d+$/.test(converted)
  if (
    (type === 'INT32' || type === 'INT64') &&
    whole &&
    (logical === undefined || logical.type === 'INTEGER')
  )
    return 'integer'
  return (type === 'FLOAT' || type === 'DOUBLE') && converted === undefined ? 'float' : 'other'
}

const describe = (
  file: string,
  { metadata }: ParquetReader,
  wanted: readonly string[],
): ReadonlyMap<string, ParquetColumn> => {
  const notes = pandasMetadata(metadata.key_value_metadata?.find(({ key }) => key === 'pandas')?.value)
  const names = metadata.schema.slice(1).map(({ name }) => name)
  return new Map(
    wanted.map((name) => {
      const element = metadata.schema.slice(1).find((each) => each.name === name)
      const note = notes(name)
      if (element === undefined || note.index) throw missing(file, name, names)
      return [name, { kind: kindOf(element), note }]
    }),
  )
}

const missing = (file: string, column: string, names: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'benchmarks/missing-column',
    message: `${file} has no column ${JSON.stringify(column)}`,
    where: { file, field: column },
    remedy: `${suggestion(column, names)}The file has the columns ${names.join(', ')}.`,
  })

const damaged = (file: string, column: string | undefined, cause: unknown): ProblemError =>
  unreadProblem(
    {
      code: 'benchmarks/parquet',
      format: 'a Parquet file',
      file,
      ...(column === undefined ? {} : { column }),
      remedy: 'Copy the file from the data set again.',
    },
    cause,
  )
