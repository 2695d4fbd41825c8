import { Float, pyFloat, pyInt } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { done, failed, type Outcome } from '../../cache/problems/problem.ts'
import type { Dialect } from '../profile.ts'
import { JsonError, loads } from '../../benchmarks/python/json.ts'

/** Python's `float(score)`: true is 1, a text must be a number. Undefined where Python raises an exception. */
const toFloat = (score: PyValue): number | undefined => {
  if (typeof score === 'boolean') return score ? 1 : 0
  if (typeof score === 'bigint') return Number(score)
  if (typeof score === 'string') return pyFloat(score)
  if (score instanceof Float) return score.value
  return typeof score === 'number' ? score : undefined
}

/** Python's `int(score)`: numbers lose their fraction, a text must be a whole number. */
const toInt = (score: PyValue): number | undefined => {
  if (typeof score === 'string') {
    const whole = pyInt(score)
    return whole === undefined ? undefined : Number(whole)
  }
  const value = toFloat(score)
  // Adding 0 makes -0, which Python's ints have not, 0.
  return value === undefined ? undefined : Math.trunc(value) + 0
}

const NUMBERS = { int: toInt, float: toFloat } satisfies Readonly<Record<Dialect['scores'], unknown>>

/** Beyond this the sum of squares of a large run may be no number any more. */
const GREATEST = 1e149

/**
 * All scores of one judgement, criteria that the judge added included, unclamped (HELM.md T13). The originals abort the run where a score is no number, or write an infinite one; here the
 * judgement as a whole fails: `not-an-object`, `missing-score` or `score-not-a-number`.
 * @param scores how a score becomes a number: `int` in helm-0.5.16, `float` in medhelm-0.8
 */
export const judgeScores = (
  judgement: PyValue,
  scores: Dialect['scores'] = 'int',
): Outcome<readonly number[]> => {
  if (!(judgement instanceof Map)) return failed('not-an-object', 'the judgement is no object of criteria')
  const numbers: number[] = []
  for (const [criterion, verdict] of judgement) {
    const score = scoreIn(verdict)
    if (score === undefined) return failed('missing-score', `${JSON.stringify(criterion)} holds no score`)
    const number = NUMBERS[scores](score)
    if (number === undefined || !(Math.abs(number) <= GREATEST))
      return failed('score-not-a-number', `the score of ${JSON.stringify(criterion)} is no number`)
    numbers.push(number)
  }
  return done(numbers)
}

const scoreIn = (verdict: PyValue | undefined): PyValue | undefined =>
  verdict instanceof Map ? verdict.get('score') : undefined

/** The same of a criterion of a judgement that counts; undefined where it is not in it. */
export const criterionScore = (
  judgement: PyValue | undefined,
  criterion: string,
  scores: Dialect['scores'],
): number | undefined => {
  const score = judgement instanceof Map ? scoreIn(judgement.get(criterion)) : undefined
  return score === undefined ? undefined : NUMBERS[scores](score)
}

/** From the first `{` to the last `}`; the whole reply where there is no such pair. */
const outermostBraces = (reply: string): string => {
  const start = reply.indexOf('{')
  const end = reply.lastIndexOf('}')
  return start >= 0 && end > start ? reply.slice(start, end + 1) : reply
}

/** HELM's one repair: what breaks off where a comma could stand gets a closing brace. */
const loadsRepaired = (text: string): PyValue => {
  try {
    return loads(text)
  } catch (error) {
    if (!(error instanceof JsonError) || error.message !== "Expecting ',' delimiter") throw error
    return loads(`${text}}`)
  }
}

/** Python's `text in value`; undefined where Python raises a TypeError. */
const contains = (value: PyValue, text: string): boolean | undefined => {
  if (value instanceof Map) return value.has(text)
  if (typeof value === 'string') return value.includes(text)
  return Array.isArray(value) ? value.includes(text) : undefined
}

/** The first criterion that the reply does not hold as it should; undefined when it holds all. */
const findFault = (
  parsed: PyValue,
  criteria: ReadonlyMap<string, readonly string[]>,
  required: Dialect['required'],
): Outcome<never> | undefined => {
  for (const [name, keys] of criteria) {
    if (!(parsed instanceof Map))
      return failed('not-an-object', 'the reply is JSON, but no object of criteria')
    const verdict: PyValue | undefined = parsed.get(name)
    if (verdict === undefined)
      return failed('missing-criterion', `the criterion ${JSON.stringify(name)} is missing`)
    if (required === 'criteria') continue
    for (const key of keys) {
      const found = contains(verdict, key)
      if (found === undefined)
        return failed('not-an-object', `${JSON.stringify(name)} holds no object with ${keys.join(', ')}`)
      if (!found) return failed('missing-key', `${JSON.stringify(name)} lacks ${JSON.stringify(key)}`)
    }
  }
  return undefined
}

/**
 * Reads a judge's reply as HELM does (HELM.md T12): Python's JSON between the outermost braces, one
 * repair, all criteria with their keys. Scores are not looked at, and what the judge added stays.
 * A reply that HELM would drop is a failure: `unparseable`, `not-an-object`, `missing-criterion` or `missing-key`.
 * @param criteria criterion → keys that its object must hold
 * @param required medhelm-0.8 looks for the criteria only (HELM.md T12)
 */
export const parseReply = (
  reply: string,
  criteria: ReadonlyMap<string, readonly string[]>,
  required: Dialect['required'] = 'criteria-and-keys',
): Outcome<PyValue> => {
  let parsed: PyValue
  try {
    parsed = loadsRepaired(outermostBraces(reply))
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return failed('unparseable', `${error.message} (line ${error.line}, column ${error.column})`)
  }
  return findFault(parsed, criteria, required) ?? done(parsed)
}
