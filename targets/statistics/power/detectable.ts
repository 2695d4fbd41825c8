import type { PairPlan } from '../paired/pair-difference.ts'
import { detectableByMidP } from './power-of-mid-p.ts'
import { detectableByT } from './power-of-t.ts'
import { ALPHA } from '../scale.ts'

const POWER = 0.8
/** A difference that is so many times its error is found by any test that finds anything. */
export const FAR = 1000

/**
 * The least true difference that a rerun of this size and spread notices in 80 % of cases at 5 %, by the very test, in the
 * plan's units. It is no verdict on the difference seen. Null: none at this n, or no plan.
 */
export const detectableDifference = (plan: PairPlan | null): number | null => {
  if (plan === null) return null
  if (plan.test === 'mid-p') return midPAt(plan.n, plan.discordant)
  const span = plan.range ?? FAR * plan.standardError
  return detectableByT({ ...plan, alpha: ALPHA }, span, POWER) ?? null
}

/** Takes milliseconds, and the pairs of a board have few numbers of instances that differ. */
const known = new Map<string, number | null>()
const HELD = 10_000

const midPAt = (n: number, discordant: number): number | null => {
  const key = `${n} ${discordant}`
  const found = known.get(key)
  if (found !== undefined) return found
  const made = detectableByMidP({ n, discordant, alpha: ALPHA }, POWER) ?? null
  if (known.size >= HELD) known.clear()
  known.set(key, made)
  return made
}
