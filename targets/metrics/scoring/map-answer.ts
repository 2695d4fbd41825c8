import { pythonPattern } from '../../../benchmarks/python/pattern.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'

const compiled = new Map<string, RegExp>()

const compile = (pattern: string): RegExp => {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  try {
    const made = pythonPattern(pattern)
    compiled.set(pattern, made)
    return made
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'targets/bad-output-mapping-pattern',
        message: `output_mapping_pattern ${JSON.stringify(pattern)} is no regular expression of Python's that can be read here: ${String(cause)}`,
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
