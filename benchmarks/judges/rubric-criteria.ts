import { ProblemError } from '../../cache/problems/problem.ts'
import { JsonError, loads } from '../python/json.ts'
import type { PyValue } from '../python/value.ts'

const BLOCK = /<rubric_criteria>\s*(\{[\s\S]*?\})\s*<\/rubric_criteria>/

const REMEDY =
  'Write <rubric_criteria>{"accuracy": {"score": 0, "explanation": "…"}}</rubric_criteria> with your criteria.'

/**
 * Criteria of a judge prompt: each key of its `<rubric_criteria>` block → the keys that the criterion's object has
 * (HELM.md B9).
 *
 * @throws ProblemError `benchmarks/rubric-criteria` with line and column
 */
export const rubricCriteria = (prompt: string, file: string): ReadonlyMap<string, readonly string[]> => {
  const found = BLOCK.exec(prompt)
  const json = found?.[1]
  if (!found || json === undefined)
    throw criteriaProblem('the judge prompt has no <rubric_criteria>{…}</rubric_criteria> block', { file })
  const offset = found.index + found[0].indexOf(json)
  const value = parseBlock(json, offset, prompt, file)
  const at = { file, ...position(prompt, offset) }
  if (!(value instanceof Map) || value.size === 0) throw criteriaProblem('the rubric names no criterion', at)
  return new Map(
    [...(value as ReadonlyMap<string, PyValue>)].map(([name, keys]) => {
      if (keys instanceof Map) return [name, [...(keys as ReadonlyMap<string, PyValue>).keys()]]
      throw criteriaProblem(`the criterion ${JSON.stringify(name)} is no object`, at)
    }),
  )
}

const parseBlock = (json: string, offset: number, prompt: string, file: string): PyValue => {
  try {
    return loads(json)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const start = position(prompt, offset)
    const line = start.line + error.line - 1
    const column = error.line === 1 ? start.column + error.column - 1 : error.column
    throw criteriaProblem(`the rubric is not JSON: ${error.message}`, { file, line, column }, error)
  }
}

const position = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const criteriaProblem = (
  message: string,
  where: { file: string; line?: number; column?: number },
  cause?: unknown,
): ProblemError =>
  new ProblemError({ code: 'benchmarks/rubric-criteria', message, where, remedy: REMEDY }, { cause })
