import { formatValue } from './format-spec.ts'
import { repr, str } from '../numbers/number.ts'
import type { PyValue } from '../value.ts'
import { digitValue, codePointLength } from '../text.ts'

/** A fault of a template and its place in it, `line` and `column` from 1, columns in code points. */
class TemplateFault<Kind extends string> extends Error {
  readonly kind: Kind
  readonly line: number
  readonly column: number

  /** @param index offset in UTF-16 units */
  constructor(kind: Kind, message: string, template: string, index: number) {
    super(message)
    this.name = new.target.name
    this.kind = kind
    const before = template.slice(0, index)
    this.line = before.split('\n').length
    this.column = codePointLength(before.slice(before.lastIndexOf('\n') + 1)) + 1
  }
}

type TemplateFaultKind =
  | 'unbalanced-brace'
  | 'positional-field'
  | 'attribute-or-index'
  | 'bad-conversion'
  | 'bad-format-spec'
  | 'unknown-name'

/** What Python's `str.format_map` refuses in a template. */
export class TemplateError extends TemplateFault<TemplateFaultKind> {}

const fieldsOf = (template: string): readonly TemplatePart[] =>
  new TemplateReader(template, 0, template.length).parts()

/**
 * Names of a template's fields, each once, in order of appearance.
 * @throws TemplateError for everything that would fail whatever the values are, format specifications left out
 */
export const templateFields = (template: string): string[] => [
  ...new Set(fieldsOf(template).flatMap((part) => (typeof part === 'string' ? [] : [part.name]))),
]

/** Where a template first names one of its `templateFields`, UTF-16 units. */
export const fieldOffset = (template: string, name: string): number =>
  fieldsOf(template).find((part): part is TemplateField => typeof part !== 'string' && part.name === name)
    ?.at ?? 0

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
    if (!known.has(part.name))
      throw new TemplateError('unknown-name', `{${part.name}} is no field of the template`, template, part.at)
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

/** A replacement field of a `str.format` template. */
interface TemplateField {
  readonly name: string
  readonly conversion: string
  /** What follows the colon; may hold fields itself. */
  readonly spec: string
  /** Offsets in the template: of the opening brace, of the specification. */
  readonly at: number
  readonly specAt: number
}

/** Literal text, its doubled braces halved, or a field. */
type TemplatePart = string | TemplateField

/** Reads a template, or the format specification of a field inside it, into literal text and fields. */
class TemplateReader {
  private readonly template: string
  private readonly end: number
  private index: number

  constructor(template: string, start: number, end: number) {
    this.template = template
    this.index = start
    this.end = end
  }

  parts(): TemplatePart[] {
    const parts: TemplatePart[] = []
    while (this.index < this.end) {
      const char = this.template.charAt(this.index)
      if (char !== '{' && char !== '}') parts.push(this.literal())
      else if (this.index + 1 < this.end && this.template.charAt(this.index + 1) === char) {
        parts.push(char)
        this.index += 2
      } else if (char === '{') parts.push(this.field())
      else this.unbalanced(this.index, 'a } closes nothing; write }} for the character itself')
    }
    return parts
  }

  private unbalanced(at: number, message: string): never {
    throw new TemplateError('unbalanced-brace', message, this.template, at)
  }

  private literal(): string {
    const start = this.index
    while (this.index < this.end && !'{}'.includes(this.template.charAt(this.index))) this.index++
    return this.template.slice(start, this.index)
  }

  private field(): TemplateField {
    const at = this.index++
    const name = this.name(at)
    const conversion = this.conversion(at)
    const specAt = this.index
    const spec = conversion.closed ? '' : this.spec(at)
    return { name, conversion: conversion.char, spec, at, specAt }
  }

  /** Leaves the index at what ends the name: `}`, `:` or `!`. */
  private name(at: number): string {
    const start = this.index
    for (; this.index < this.end; this.index++) {
      const char = this.template.charAt(this.index)
      if (char === '{')
        this.unbalanced(this.index, 'a { stands inside a field; write {{ for the character itself')
      if ('}:!'.includes(char)) {
        const name = this.template.slice(start, this.index)
        return checkName(name, this.template, at)
      }
      if (char === '[') this.skipIndex(at)
    }
    return this.unbalanced(at, 'a { is never closed; write {{ for the character itself')
  }

  private skipIndex(at: number): void {
    const close = this.template.indexOf(']', this.index)
    if (close < 0 || close >= this.end) this.unbalanced(at, 'a [ is never closed')
    this.index = close
  }

  private conversion(at: number): { readonly char: string; readonly closed: boolean } {
    const mark = this.template.charAt(this.index++)
    if (mark !== '!') return { char: '', closed: mark === '}' }
    const char = this.template.charAt(this.index++)
    const after = this.index <= this.end ? this.template.charAt(this.index++) : ''
    if (!'rsa'.includes(char) || char === '' || (after !== '}' && after !== ':'))
      throw new TemplateError(
        'bad-conversion',
        'after ! comes one of r, s and a, then } or :',
        this.template,
        at,
      )
    return { char, closed: after === '}' }
  }

  /** Up to the brace that closes the field; inner fields have braces of their own. */
  private spec(at: number): string {
    const start = this.index
    for (let open = 1; this.index < this.end;) {
      const char = this.template.charAt(this.index++)
      if (char === '{') open++
      else if (char === '}' && --open === 0) return this.template.slice(start, this.index - 1)
    }
    return this.unbalanced(at, 'a { is never closed; write {{ for the character itself')
  }
}

/** A column's name as it stands: HELM fills fields by name alone. */
const checkName = (name: string, template: string, at: number): string => {
  const [first = ''] = name.split(/[.[]/, 1)
  const digits = Array.from(first).every((char) => digitValue(char.codePointAt(0) ?? 0) !== undefined)
  // An empty name counts, too.
  if (digits) throw new TemplateError('positional-field', `{${name}} names no column`, template, at)
  if (first !== name) {
    const message = `{${name}} asks for a part of a value; only whole columns can be filled in`
    throw new TemplateError('attribute-or-index', message, template, at)
  }
  return name
}

type StringTemplateFault = 'invalid-placeholder' | 'unknown-name'

/** What Python's string.Template refuses: ValueError (`invalid-placeholder`) or KeyError (`unknown-name`). */
export class StringTemplateError extends TemplateFault<StringTemplateFault> {}

const BRACED = /\{(QUESTION|RESPONSE|GOLD_RESPONSE)\}/g

/** The template with its placeholders in `$` form. */
const toDollars = (template: string): string => template.replaceAll(BRACED, (_, name: string) => `$${name}`)

/** A rubric is filled once an answer, and is long. */
let last = { template: '', text: '' }

const dollarsOf = (template: string): string => {
  if (last.template !== template) last = { template, text: toDollars(template) }
  return last.text
}

/** Where in the template what stands at `at` of its `$` form comes from, UTF-16 units. */
const originOf = (template: string, at: number): number => {
  let shift = 0
  for (const match of template.matchAll(BRACED)) {
    // `$NAME` is one shorter than `{NAME}`.
    if (at < match.index - shift + match[0].length - 1) break
    shift += 1
  }
  return at + shift
}

/**
 * Fills a judge's prompt as HELM does (HELM.md B7): `{QUESTION}`, `{RESPONSE}` and `{GOLD_RESPONSE}`
 * become `$` placeholders, which `string.Template.substitute` then fills. `$$` is a dollar sign; values are not
 * scanned, so that dollars and braces in them stay.
 * @throws StringTemplateError for a `$` without a name, and for a name that `values` has not
 */
export const substituteTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  dollarsOf(template).replaceAll(
    /\$(?:(\$)|([_a-z][_a-z0-9]*)|\{([_a-z][_a-z0-9]*)\})?/gi,
    (
      all: string,
      dollar: string | undefined,
      bare: string | undefined,
      braced: string | undefined,
      at: number,
    ) => {
      if (dollar !== undefined) return '$'
      const name = bare ?? braced
      const origin = originOf(template, at)
      if (name === undefined) {
        const message = `a ${all} must be doubled, or a name must follow it`
        throw new StringTemplateError('invalid-placeholder', message, template, origin)
      }
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (value === undefined)
        throw new StringTemplateError('unknown-name', `nothing is known of $${name}`, template, origin)
      return value
    },
  )
