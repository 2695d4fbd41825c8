import { expect, test } from 'vitest'
import { pandasMetadata } from '../../../../benchmarks/sources/csv/pandas-metadata.ts'

const column = (numpy_type: string, pandas_type = 'x') =>
  pandasMetadata(JSON.stringify({ columns: [{ name: 'other' }, { name: 'own', numpy_type, pandas_type }] }))(
    'own',
  )

test('What pandas noted tells which cells are <NA>, which NaN, and which column names rows', () => {
  for (const type of ['Int64', 'UInt8', 'Float32', 'boolean', 'string', 'int64[pyarrow]'])
    expect(column(type)).toEqual({ index: false, nullable: true, categorical: false })
  for (const type of ['int64', 'float64', 'object', 'bool', 'IntervalDtype'])
    expect(column(type).nullable).toBe(false)
  expect(column('int8', 'categorical').categorical).toBe(true)
  const named = pandasMetadata(JSON.stringify({ index_columns: ['row', { kind: 'range' }], columns: [] }))
  expect([named('row').index, named('own').index]).toEqual([true, false])
  expect(pandasMetadata(undefined)('own')).toEqual({ index: false, nullable: false, categorical: false })
})
