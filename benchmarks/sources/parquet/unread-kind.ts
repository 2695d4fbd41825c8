import { Type, tableFromIPC } from '@uwdata/flechette'
import type { FileMetaData, SchemaElement } from 'hyparquet'
import { safeText, type SafeText } from '../../../cache/problems/safe-text.ts'

/** Kinds of which Python has values of its own that are no numbers and no texts. */
const LOGICAL: Readonly<Record<string, SafeText>> = {
  BSON: safeText`bytes`,
  DECIMAL: safeText`decimal numbers`,
  ENUM: safeText`bytes`,
  INTERVAL: safeText`intervals`,
  MAP: safeText`maps`,
  TIME: safeText`times of day`,
  VARIANT: safeText`variants`,
}

const ZONED = safeText`times of a zone`

const CONVERTED: Readonly<Record<string, SafeText | undefined>> = {
  BSON: LOGICAL['BSON'],
  DECIMAL: LOGICAL['DECIMAL'],
  ENUM: LOGICAL['ENUM'],
  INTERVAL: LOGICAL['INTERVAL'],
  MAP: LOGICAL['MAP'],
  MAP_KEY_VALUE: LOGICAL['MAP'],
  TIME_MILLIS: LOGICAL['TIME'],
  TIME_MICROS: LOGICAL['TIME'],
  // Without a logical type beside it, such a time is of UTC.
  TIMESTAMP_MILLIS: ZONED,
  TIMESTAMP_MICROS: ZONED,
}

/** What a column's values are, where they would be read as something else than Python reads; undefined where they are not. */
export const unreadKind = ({
  type,
  logical_type: logical,
  converted_type: converted,
}: SchemaElement): SafeText | undefined => {
  if (logical?.type === 'TIMESTAMP') return logical.isAdjustedToUTC ? ZONED : undefined
  if (logical !== undefined) return LOGICAL[logical.type]
  if (converted !== undefined) return CONVERTED[converted]
  return type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY' ? LOGICAL['BSON'] : undefined
}

/** Columns of spans of time, which Parquet keeps as whole numbers: only the schema that Arrow leaves in the file tells. */
export const spanColumns = ({ key_value_metadata: notes = [] }: FileMetaData): ReadonlySet<string> => {
  const schema = notes.find(({ key }) => key === 'ARROW:schema')?.value
  if (schema === undefined) return new Set()
  const { fields } = tableFromIPC(Buffer.from(schema, 'base64')).schema
  return new Set(fields.filter(({ type }) => type.typeId === Type.Duration).map(({ name }) => name))
}
