import { noncentralUpper } from '../distributions/noncentral-t.ts'
import { studentUpperQuantile } from '../distributions/student-t.ts'
import { findRoot } from '../find-root.ts'

/** Standard error of a planned comparison, the degrees of freedom that belong to it, and its two-sided level. */
interface PlannedT {
  readonly standardError: number
  readonly df: number
  readonly alpha: number
}

/** Chance that the two-sided t test notices a true difference, in the units of the standard error, which is not 0. */
export const powerOfT = ({ standardError, df, alpha }: PlannedT): ((difference: number) => number) => {
  const critical = studentUpperQuantile(alpha / 2, df)
  return (difference) =>
    noncentralUpper(difference / standardError, critical, df) +
    noncentralUpper(-difference / standardError, critical, df)
}

/**
 * The least true difference up to `span` that the test notices with chance `power`; undefined where there is none at this
 * n, and where the standard error is 0.
 */
export const detectableByT = (plan: PlannedT, span: number, power: number): number | undefined => {
  if (plan.standardError === 0) return undefined
  const chance = powerOfT(plan)
  if (chance(span) < power) return undefined
  return findRoot((difference) => chance(difference) - power, 0, span)
}

/** Chance that a one-sided t test at level `tail` finds a true difference; undefined where the standard error is 0. */
export const oneSidedPower = (
  difference: number,
  { standardError, df }: Pick<PlannedT, 'standardError' | 'df'>,
  tail: number,
): number | undefined =>
  standardError === 0
    ? undefined
    : noncentralUpper(difference / standardError, studentUpperQuantile(tail, df), df)
