import { TemplateFault } from './template-error.ts'

export type StringTemplateFault = 'invalid-placeholder' | 'unknown-name'

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
export const substituteTemplate = (template: string, values: Readonly<Record<string, string>>): string => {
  return dollarsOf(template).replaceAll(
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
      if (value === undefined) {
        throw new StringTemplateError('unknown-name', `nothing is known of $${name}`, template, origin)
      }
      return value
    },
  )
}
