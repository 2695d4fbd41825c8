import { Float } from '../../benchmarks/python/numbers/float.ts'
import { pyFloat, pyInt } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'

/** A parsed description: `name:key=value,key=value`, arguments in textual order. */
export interface Description {
  readonly name: string
  readonly args: ReadonlyMap<string, PyValue>
}

/**
 * Parses a run-entry description (HELM.md T3): name up to the first colon, arguments split at every comma,
 * each at its first equals sign; values as Python's int(), else float(), else text. A key given twice keeps the last.
 *
 * @throws ProblemError `targets/description`
 */
export const parseDescription = (text: string, where: Place): Description => {
  const colon = text.indexOf(':')
  if (colon === -1) return { name: text, args: new Map() }
  const args = new Map<string, PyValue>()
  for (const piece of text.slice(colon + 1).split(',')) {
    const equals = piece.indexOf('=')
    if (equals === -1)
      throw new ProblemError({
        code: 'targets/description',
        message: `expected <key>=<value>, found ${JSON.stringify(piece)} in ${JSON.stringify(text)}`,
        where,
        remedy: 'Write name:key=value,key=value; a value can hold no comma.',
      })
    args.set(piece.slice(0, equals), valueOf(piece.slice(equals + 1)))
  }
  return { name: text.slice(0, colon), args }
}

const valueOf = (text: string): PyValue => {
  const whole = pyInt(text)
  if (whole !== undefined) return whole
  const fraction = pyFloat(text)
  return fraction === undefined ? text : new Float(fraction)
}
