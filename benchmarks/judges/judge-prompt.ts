import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { StringTemplateError, substituteTemplate } from '../python/templates/string-template.ts'

/** Stands for the answer while the prompt is tried; a private-use character that no prompt holds. */
const ANSWER = '\ue000'

/**
 * Tries a judge prompt before anything is spent: it must be fillable (HELM.md B7), and must show the
 * answer.
 * @throws ProblemError `benchmarks/judge-prompt` with line and column
 */
export const checkJudgePrompt = (prompt: string, file: string): void => {
  try {
    if (substituteTemplate(prompt, { QUESTION: '', RESPONSE: ANSWER, GOLD_RESPONSE: '' }).includes(ANSWER))
      return
  } catch (error) {
    if (!(error instanceof StringTemplateError)) throw error
    throw new ProblemError(
      {
        code: 'benchmarks/judge-prompt',
        message: `the judge prompt can't be filled: ${error.message}`,
        where: { file, line: error.line, column: error.column },
        remedy: 'Write $$ for a dollar sign, and let no letter, digit or underscore follow a placeholder.',
      },
      { cause: error },
    )
  }
  throw new ProblemError({
    code: 'benchmarks/judge-prompt',
    message: 'the judge prompt has no {RESPONSE}: judges would not see the answer they score',
    where: { file },
    remedy: 'Put {RESPONSE}, and {QUESTION} and {GOLD_RESPONSE} if wanted, where they belong.',
  })
}

/** A grader must see the answer, and the item by which it is graded. @throws ProblemError `benchmarks/judge-prompt` */
export const checkGraderPrompt = (prompt: string, file: string): void => {
  const missing = ['<<conversation>>', '<<rubric_item>>'].find((name) => !prompt.includes(name))
  if (missing === undefined) return
  throw new ProblemError({
    code: 'benchmarks/judge-prompt',
    message: `the grader's prompt has no ${missing}`,
    where: { file },
    remedy: 'Put <<conversation>> and <<rubric_item>> where they belong.',
  })
}

/**
 * Judges can not reply with what the rubric does not name: all their replies would count for nothing.
 * @throws ProblemError `benchmarks/unknown-criterion`
 */
export const checkCriteria = (
  criteria: Readonly<Record<string, readonly string[]>>,
  rubric: string,
  place: (criterion: string) => Place,
): void => {
  for (const [criterion, keys] of Object.entries(criteria)) {
    const missing = [criterion, ...keys].find((name) => !rubric.includes(name))
    if (missing === undefined) continue
    throw new ProblemError({
      code: 'benchmarks/unknown-criterion',
      message: `the rubric nowhere says ${JSON.stringify(missing)}, which each reply must hold`,
      where: place(criterion),
      remedy: `${suggestion(missing, rubric.match(/\w+/g) ?? [])}Name criteria and their keys as the rubric does.`,
    })
  }
}
