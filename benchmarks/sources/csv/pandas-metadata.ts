/** What pandas noted of a column when it wrote a Parquet or Arrow file. */
export interface PandasColumn {
  /** It holds names of rows, and is no column. */
  readonly index: boolean
  /** Its missing cells are `<NA>`. */
  readonly nullable: boolean
  /** Its missing cells are NaN. */
  readonly categorical: boolean
}

/** numpy's types, which have no `<NA>`, begin in lower case; of pandas' own only texts and truth values do, and Arrow's. */
const NULLABLE = /^(?:U?Int\d+|Float\d+|boolean|string)|\[pyarrow\]$/

/** @param note the metadata `pandas` of a file: JSON, or undefined where pandas did not write it */
export const pandasMetadata = (note: string | undefined): ((column: string) => PandasColumn) => {
  const { index_columns: index = [], columns = [] } = JSON.parse(note ?? '{}') as {
    readonly index_columns?: readonly unknown[]
    readonly columns?: readonly {
      readonly name?: unknown
      readonly pandas_type?: unknown
      readonly numpy_type?: unknown
    }[]
  }
  return (name) => {
    const found = columns.find((column) => column.name === name)
    return {
      index: index.includes(name),
      nullable: NULLABLE.test(String(found?.numpy_type)),
      categorical: found?.pandas_type === 'categorical',
    }
  }
}
