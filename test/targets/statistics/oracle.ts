import { CORE } from './oracle/core.ts'
import { JURIES } from './oracle/juries.ts'
import type { Methods } from './oracle/method.ts'

const METHODS: Methods = { ...CORE, ...JURIES }

/**
 * What the product's own functions give for a row of the reference results for statistics: a thin map from the
 * reference's method names to our functions, without a formula of its own.
 * @throws RangeError for a method that no function answers
 */
export const answer = (method: string, input: unknown): unknown => {
  const known = METHODS[method]
  if (known === undefined) throw new RangeError(`no function answers ${method}`)
  return known(input)
}
