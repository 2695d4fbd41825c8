import { codePointLength } from '../text.ts'

/** A fault of a template and its place in it, `line` and `column` from 1, columns in code points. */
export class TemplateFault<Kind extends string> extends Error {
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

export type TemplateFaultKind =
  | 'unbalanced-brace'
  | 'positional-field'
  | 'attribute-or-index'
  | 'bad-conversion'
  | 'bad-format-spec'
  | 'unknown-name'

/** What Python's `str.format_map` refuses in a template. */
export class TemplateError extends TemplateFault<TemplateFaultKind> {}
