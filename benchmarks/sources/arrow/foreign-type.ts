import type { Field } from '@uwdata/flechette'

/** Of such a type the numbers that are kept are not the values that Python shows: periods, intervals, truth values. */
const FOREIGN = /^(?:pandas\.|arrow\.bool8$)/

/** Whether a field's values, or those within it, are of a type that Arrow knows by a name alone. */
export const isForeign = (field: Field | undefined): boolean =>
  field !== undefined &&
  (FOREIGN.test(field.metadata?.get('ARROW:extension:name') ?? '') || fieldsWithin(field).some(isForeign))

/** Fields of a struct, the items of a list. */
export const fieldsWithin = ({ type }: Field): readonly Field[] =>
  'children' in type ? (type.children ?? []) : []
