import { CORE_SCHEMA, defineScalarTag, floatCoreTag, NOT_RESOLVED, type Schema } from 'js-yaml'
import { float, Float } from '../python/numbers/float.ts'

/** `1.0` stays a float: HELM's files tell it from `1`. */
const pythonFloat = defineScalarTag<number | Float>('tag:yaml.org,2002:float', {
  implicit: true,
  implicitFirstChars: floatCoreTag.implicitFirstChars,
  resolve: (source, isExplicit, tag) => {
    const value = floatCoreTag.resolve(source, isExplicit, tag)
    if (value === NOT_RESOLVED) return NOT_RESOLVED
    return typeof value === 'number' && Number.isInteger(value) ? float(value) : value
  },
  identify: (data: unknown) => data instanceof Float,
})

/** YAML 1.2 in which whole floats are Float. */
export const DECLARATION_YAML: Schema = CORE_SCHEMA.withTags(pythonFloat)

/** For `JSON.stringify`: a Float as `{"$float": 1}`. */
export function replaceFloats(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const own = this[key]
  return own instanceof Float ? { $float: own.value } : value
}

/** For `JSON.parse`: what `replaceFloats` wrote. */
export const reviveFloats = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$float' in value && typeof value.$float === 'number'
    ? float(value.$float)
    : value
