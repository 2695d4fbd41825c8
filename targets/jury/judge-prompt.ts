import { StringTemplateError, substituteTemplate } from '../../benchmarks/python/templates/string-template.ts'
import { ProblemError } from '../../cache/problems/problem.ts'

/** What a judge is shown. */
export interface Judged {
  /** The scenario's text: no instructions, no options. */
  readonly question: string
  /** The model's answer as it came. */
  readonly response: string
  /** Text of the first reference, `''` without one. */
  readonly gold: string
}

/**
 * Fills a rubric's {QUESTION}, {RESPONSE} and {GOLD_RESPONSE} (benchmarks/HELM.md B7). What is filled in is not
 * read again, so an answer that holds placeholders stays as it is.
 * @throws ProblemError `targets/bad-rubric` with line and column within the rubric
 */
export const judgePrompt = (rubric: string, { question, response, gold }: Judged): string => {
  try {
    return substituteTemplate(rubric, { QUESTION: question, RESPONSE: response, GOLD_RESPONSE: gold })
  } catch (cause) {
    if (!(cause instanceof StringTemplateError)) throw cause
    throw new ProblemError(
      {
        code: 'targets/bad-rubric',
        message: `the judge's rubric cannot be filled: ${cause.message}`,
        where: { line: cause.line, column: cause.column },
        remedy:
          'Write $$ for a dollar sign; use no placeholder but {QUESTION}, {RESPONSE} and {GOLD_RESPONSE}, ' +
          'and let no letter, digit or underscore follow one.',
      },
      { cause },
    )
  }
}
