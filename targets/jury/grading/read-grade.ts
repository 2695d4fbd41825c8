import { JsonError, loads } from '../../../benchmarks/python/json.ts'
import { lstrip, rstrip, strip } from '../../../benchmarks/python/text.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { ItemGrading } from '../../../benchmarks/scenario/benchmark.ts'
import { done, failed, type Outcome } from '../../../cache/outcome.ts'
import { parseReply } from '../parse-reply.ts'

/** A grader's reply: whether the criterion is met, and why, with whatever else it says. */
export type Grade = ReadonlyMap<string, PyValue>

/** Names the reading of graders' replies and of what follows from it; raised when either changes. */
export const GRADING_VERSION = '1'

const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['explanation', []],
  ['criteria_met', []],
])

/**
 * Reads a grader's reply (HELM.md T27). `medhelm-0.8`: JSON between the outermost braces, in which both keys stand.
 * `health-bench`: the whole reply but for one fence is a JSON object whose `criteria_met` is true or false.
 */
export const readGrade = (reply: string, style: ItemGrading['style']): Outcome<Grade> => {
  if (style === 'health-bench') return readVerdict(reply)
  return parseReply(reply, KEYS, 'criteria') as Outcome<Grade>
}

const readVerdict = (reply: string): Outcome<Grade> => {
  let value: PyValue
  try {
    value = loads(withoutFence(strip(reply)))
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return failed('unparseable', `${error.message} (line ${error.line}, column ${error.column})`)
  }
  if (!(value instanceof Map)) return failed('not-an-object', 'the reply is JSON, but no object')
  const grade = value as Grade
  if (typeof grade.get('criteria_met') !== 'boolean')
    return failed('missing-key', '"criteria_met" is neither true nor false')
  return done(grade)
}

const withoutFence = (text: string): string => {
  const inner = text.startsWith('```json') ? lstrip(text.slice('```json'.length)) : text
  return inner.endsWith('```') ? rstrip(inner.slice(0, -'```'.length)) : inner
}
