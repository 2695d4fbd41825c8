import { loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { AnnotationPart, AnnotatorCode } from '../../benchmarks/scenario/annotator-code.ts'

/** What a workspace's annotator gave is not what its fields say. The message quotes no value. */
export class AnnotationValueError extends Error {}

/** An annotation as results hold it: its fields, in their order. @throws AnnotationValueError */
export const annotationValue = (
  { fields }: Pick<AnnotatorCode, 'fields'>,
  given: unknown,
): ReadonlyMap<string, PyValue> => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new AnnotationValueError('it gave no object of values by name')
  const values = new Map<string, unknown>(Object.entries(given))
  const stray = [...values.keys()].find((name) => !fields.some((field) => field.name === name))
  if (stray !== undefined)
    throw new AnnotationValueError(`it gave ${JSON.stringify(stray)}, which is none of its fields`)
  return new Map(fields.map((field) => [field.name, fieldValue(field, values.get(field.name))]))
}

const fieldValue = (field: AnnotationPart, value: unknown): PyValue => {
  if (value === undefined) throw new AnnotationValueError(`it gave no ${field.name}`)
  if (value === null) {
    if (field.nullable) return null
    throw new AnnotationValueError(`${field.name} is null`)
  }
  const fault = CHECKS[field.type](value, field)
  if (fault !== undefined) throw new AnnotationValueError(`${field.name} ${fault}`)
  return loads(JSON.stringify(value))
}

type Check = (value: unknown, field: AnnotationPart) => string | undefined

const textFault: Check = (value) =>
  typeof value !== 'string'
    ? 'is no text'
    : value.isWellFormed()
      ? undefined
      : 'holds half of a surrogate pair'

const numberFault: Check = (value, { least, most }) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'is no number'
  if (value >= (least ?? -Infinity) && value <= (most ?? Infinity)) return undefined
  return `is outside of ${least ?? '−∞'} to ${most ?? '∞'}`
}

const listOf =
  (check: Check): Check =>
  (value, field) => {
    if (!Array.isArray(value)) return 'is no list'
    const faults = (value as readonly unknown[]).map((item) => check(item, field))
    const index = faults.findIndex((fault) => fault !== undefined)
    return index === -1 ? undefined : `has an item, number ${index + 1}, that ${faults[index]}`
  }

const CHECKS: Readonly<Record<AnnotationPart['type'], Check>> = {
  text: textFault,
  number: numberFault,
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false'),
  texts: listOf(textFault),
  numbers: listOf(numberFault),
}
