import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'

/**
 * How a column of a Parquet file is written; `answers` is a list of structs of an integer `aid` and a text `atext`,
 * `options` a struct of ten texts `A` to `J`.
 */
export type ColumnKind = 'text' | 'texts' | 'integer' | 'answers' | 'options'

const LETTERS = Array.from('ABCDEFGHIJ')

/** A Parquet file of the shape that the Hub's data sets have: every column may be null. */
export const parquetFile = (
  columns: Readonly<Record<string, ColumnKind>>,
  rows: readonly Readonly<Record<string, unknown>>[],
): Uint8Array => {
  const names = Object.keys(columns)
  const schema: SchemaElement[] = [
    { name: 'schema', num_children: names.length },
    ...names.flatMap((name) => elementsOf(name, columns[name] ?? 'text')),
  ]
  const columnData = names.map((name) => ({
    name,
    data: rows.map((row) => (columns[name] === 'integer' ? wholeOf(row[name]) : row[name])),
  }))
  return new Uint8Array(parquetWriteBuffer({ columnData, schema }))
}

const elementsOf = (name: string, kind: ColumnKind): readonly SchemaElement[] => {
  if (kind === 'text') return [text(name)]
  if (kind === 'integer') return [{ name, type: 'INT64', repetition_type: 'OPTIONAL' }]
  if (kind === 'options')
    return [{ name, repetition_type: 'OPTIONAL', num_children: LETTERS.length }, ...LETTERS.map(text)]
  const list: SchemaElement[] = [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ]
  return kind === 'texts'
    ? [...list, text('element')]
    : [
        ...list,
        { name: 'element', repetition_type: 'OPTIONAL', num_children: 2 },
        { name: 'aid', type: 'INT32', repetition_type: 'OPTIONAL' },
        text('atext'),
      ]
}

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
})

const wholeOf = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'string' ? BigInt(value) : value
