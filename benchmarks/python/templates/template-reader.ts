import { TemplateError } from './template-error.ts'
import { digitValue } from '../unicode.ts'

/** A replacement field of a `str.format` template. */
export interface TemplateField {
  readonly name: string
  readonly conversion: string
  /** What follows the colon; may hold fields itself. */
  readonly spec: string
  /** Offsets in the template: of the opening brace, of the specification. */
  readonly at: number
  readonly specAt: number
}

/** Literal text, its doubled braces halved, or a field. */
export type TemplatePart = string | TemplateField

/** Reads a template, or the format specification of a field inside it, into literal text and fields. */
export class TemplateReader {
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
    if (!'rsa'.includes(char) || char === '' || (after !== '}' && after !== ':')) {
      throw new TemplateError(
        'bad-conversion',
        'after ! comes one of r, s and a, then } or :',
        this.template,
        at,
      )
    }
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
