import { TemplateFault } from './template-error.ts'

export type StringTemplateFault = 'invalid-placeholder' | 'unknown-name'

/** What Python's string.Template refuses: ValueError (`invalid-placeholder`) or KeyError (`unknown-name`). */
export class StringTemplateError extends TemplateFault<StringTemplateFault> {}

const step = /\{(QUESTION|RESPONSE|GOLD_RESPONSE)\}|[^]/gu

/** The template with its placeholders in `$` form, and for each UTF-16 unit of that its offset in the template. */
const toDollars = (template: string): { readonly text: string; readonly origins: readonly number[] } => {
  let text = ''
  const origins: number[] = []
  for (const match of template.matchAll(step)) {
    const piece = match[1] === undefined ? match[0] : `$${match[1]}`
    for (let unit = 0; unit < piece.length; unit++) origins.push(match.index + unit)
    text += piece
  }
  return { text, origins }
}

/**
 * Fills a judge's prompt as HELM does (HELM.md B7): `{QUESTION}`, `{RESPONSE}` and `{GOLD_RESPONSE}`
 * become `$` placeholders, which `string.Template.substitute` then fills. `$$` is a dollar sign; values are not
 * scanned, so that dollars and braces in them stay.
 * @throws StringTemplateError for a `$` without a name, and for a name that `values` has not
 */
export const substituteTemplate = (template: string, values: Readonly<Record<string, string>>): string => {
  const { text, origins } = toDollars(template)
  return text.replaceAll(
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
      const origin = origins[at] ?? 0
      if (name === undefined) {
        const message = `a ${all} must be doubled, or a name must follow it`
        throw new StringTemplateError('invalid-placeholder', message, template, origin)
      }
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (value === undefined) {
        throw new StringTemplateError('unknown-name', `nothing is known of $${name}`, template, origin)
      }
      return value
    },
  )
}
