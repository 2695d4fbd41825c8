import { remembered } from '../../../cache/once.ts'
import { binomialCdf, binomialWeights } from '../distributions/binomial.ts'
import { findRoot } from '../find-root.ts'
import { midP } from '../paired/tango.ts'

/** A planned comparison of 0/1 answers: instances, share that only one side gets right, and two-sided level. */
interface PlannedMidP {
  readonly n: number
  readonly discordant: number
  readonly alpha: number
}

/**
 * Exact chance that the mid-p McNemar test notices a true difference of shares. Where the difference is greater than the
 * share of discordant pairs, all of them fall to one side.
 */
export const powerOfMidP = ({ n, discordant, alpha }: PlannedMidP): ((difference: number) => number) => {
  const criticals = new Map<number, number>()
  const criticalOf = (pairs: number): number => remembered(criticals, pairs, () => criticalAt(pairs, alpha))
  return (difference) => {
    const share = Math.max(discordant, difference)
    if (share === 0) return 0
    const chance = (1 + difference / share) / 2
    let sum = 0
    for (const { count, weight } of binomialWeights(n, share)) {
      const critical = criticalOf(count)
      if (critical >= 0)
        sum += weight * (binomialCdf(critical, count, chance) + binomialCdf(critical, count, 1 - chance))
    }
    return sum
  }
}

/** The least true difference that the test notices with chance `power`; undefined where there is none at this n. */
export const detectableByMidP = (plan: PlannedMidP, power: number): number | undefined => {
  const chance = powerOfMidP(plan)
  if (chance(1) < power) return undefined
  return findRoot((difference) => chance(difference) - power, 0, 1)
}

/** The most pairs that may fall to the lesser side of `pairs` for the test to reject; −1 where it never does. */
const criticalAt = (pairs: number, alpha: number): number => {
  let [accepted, refused] = [-1, Math.floor(pairs / 2) + 1]
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2)
    if (midP(middle, pairs - middle) < alpha) accepted = middle
    else refused = middle
  }
  return accepted
}
