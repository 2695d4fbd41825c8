import { formatValue } from './format-spec.ts'
import { repr, str } from '../numbers/number.ts'
import { TemplateError } from './template-error.ts'
import { TemplateReader, type TemplateField, type TemplatePart } from './template-reader.ts'
import type { PyValue } from '../value.ts'

export { TemplateError } from './template-error.ts'

const fieldsOf = (template: string): readonly TemplatePart[] =>
  new TemplateReader(template, 0, template.length).parts()

/**
 * Names of a template's fields, each once, in order of appearance.
 * @throws TemplateError for everything that would fail whatever the values are, format specifications left out
 */
export const templateFields = (template: string): string[] => [
  ...new Set(fieldsOf(template).flatMap((part) => (typeof part === 'string' ? [] : [part.name]))),
]

/**
 * `template.format_map(…)` as configurable benchmarks use it (HELM.md B10). A field inside a format
 * specification can only name one that stands in the template itself, since HELM passes no other values.
 * @throws TemplateError
 */
export const formatMap = (template: string, lookup: (name: string) => PyValue): string => {
  const parts = fieldsOf(template)
  const known = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name])))
  const fill = (part: TemplatePart, depth: number): string => {
    if (typeof part === 'string') return part
    if (!known.has(part.name)) {
      throw new TemplateError('unknown-name', `{${part.name}} is no field of the template`, template, part.at)
    }
    return formatField(part, convert(lookup(part.name), part.conversion), expand(part, depth))
  }
  const expand = ({ spec, specAt, at }: TemplateField, depth: number): string => {
    if (!spec.includes('{')) return spec
    if (depth > 1) throw new TemplateError('bad-format-spec', 'fields are nested too deeply', template, at)
    const inner = new TemplateReader(template, specAt, specAt + spec.length).parts()
    return inner.map((part) => fill(part, depth + 1)).join('')
  }
  const formatField = ({ at, name }: TemplateField, value: PyValue, spec: string): string => {
    const text = formatValue(value, spec)
    if (text !== undefined) return text
    const message = `the format '${spec}' does not fit the value ${repr(value)} of {${name}}`
    throw new TemplateError('bad-format-spec', message, template, at)
  }
  return parts.map((part) => fill(part, 1)).join('')
}

/** `!r`, `!s`, `!a` or none. */
const convert = (value: PyValue, conversion: string): PyValue => {
  if (conversion === '') return value
  if (conversion === 's') return str(value)
  return conversion === 'r' ? repr(value) : repr(value).replaceAll(/[^\0-\x7f]/gu, asciiEscape)
}

const asciiEscape = (char: string): string => {
  const hex = (char.codePointAt(0) ?? 0).toString(16)
  if (hex.length <= 2) return `\\x${hex}`
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
