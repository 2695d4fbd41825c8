import { ProblemError } from '../../../cache/problems/problem.ts'

/** Python's leading `(?i)`, `(?ms)` … as JavaScript flags; other inline flags are left for RegExp to refuse. */
const compile = (pattern: string): RegExp => {
  const [lead = '', flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? []
  try {
    return new RegExp(pattern.slice(lead.length), `u${flags}`)
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'targets/bad-output-mapping-pattern',
        message: `output_mapping_pattern ${JSON.stringify(pattern)} is no regular expression: ${String(cause)}`,
        where: { field: 'output_mapping_pattern' },
        remedy: 'Write a regular expression whose first group is the letter.',
      },
      { cause },
    )
  }
}

/** First group of the first match, the whole match without a group, `''` without a match. */
const extract = (answer: string, pattern: string): string | undefined => {
  const match = compile(pattern).exec(answer)
  return match === null ? '' : match.length > 1 ? match[1] : match[0]
}

/**
 * The option that a multiple-choice answer names: the whole answer, or what `pattern` finds in it, looked up as it is
 * (HELM.md T16). `A.` names no option. Undefined when no option is named.
 */
export const mapAnswer = (
  answer: string,
  options: ReadonlyMap<string, string>,
  pattern: string | undefined,
): string | undefined => {
  const letter = pattern === undefined ? answer : extract(answer, pattern)
  return letter === undefined ? undefined : options.get(letter)
}
