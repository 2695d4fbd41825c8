import { FAR } from './detectable.ts'
import { detectableByMidP } from './power-of-mid-p.ts'
import { detectableByT } from './power-of-t.ts'

/** So many sources that all differ by the whole scale are a difference at 5 %; of fewer no agreement is, and t promises too much. */
const LEAST_ALIKE = 6

/** What is known of a benchmark's answers before it is run. */
export interface Expected {
  /** Instances of one source, such as a patient. */
  readonly perSource: number
  /** How alike the differences of one source are, 0 to 1. */
  readonly correlation: number
  /** Of 0/1 answers the share that just one of both models gets right; of scores the deviation of their differences. */
  readonly spread: { readonly discordant: number } | { readonly deviation: number; readonly range: number }
}

export interface Planned {
  readonly instances: number
  readonly sources: number
  /** The least true difference that is noticed with the power asked for; null: none at this n. */
  readonly detectable: number | null
}

/** The level of the two-sided test, and the chance to notice. */
export interface Aim {
  readonly alpha: number
  readonly power: number
}

/**
 * What so many instances notice, by the very test that compares them: McNemar's mid-p for 0/1 answers without sources,
 * Student's t over sources of equal size else.
 */
export const planAt = (instances: number, expected: Expected, { alpha, power }: Aim): Planned => {
  const { perSource, correlation, spread } = expected
  const sources = Math.max(1, Math.floor(instances / perSource))
  const asked = sources * perSource
  const base = { instances: asked, sources }
  if ('discordant' in spread && perSource === 1)
    return {
      ...base,
      detectable: detectableByMidP({ n: asked, discordant: spread.discordant, alpha }, power) ?? null,
    }
  if (sources < 2) return { ...base, detectable: null }
  const noticed = (deviation: number, span: number): number | undefined => {
    const standardError = deviation * Math.sqrt((1 + (perSource - 1) * correlation) / asked)
    return detectableByT({ standardError, df: sources - 1, alpha }, span, power)
  }
  if ('deviation' in spread) return { ...base, detectable: noticed(spread.deviation, spread.range) ?? null }
  const unit = noticed(1, sources < LEAST_ALIKE ? 1 : FAR)
  if (unit === undefined) return { ...base, detectable: null }
  // The spread is that about the difference: its square is no part of it. Where the difference is greater than the share of
  // discordant answers, these are as many as it takes.
  const least = unit ** 2 / (1 + unit ** 2)
  return { ...base, detectable: Math.sqrt(least * Math.max(spread.discordant, least)) }
}

/** The fewest instances that notice a difference; undefined where even `most` do not. */
export const instancesFor = (
  difference: number,
  expected: Expected,
  aim: Aim,
  most = 1_000_000,
): Planned | undefined => {
  const { perSource } = expected
  const isEnough = (sources: number): boolean => {
    const { detectable } = planAt(sources * perSource, expected, aim)
    return detectable !== null && detectable <= difference
  }
  let [few, enough] = [0, 1]
  while (!isEnough(enough)) {
    if (enough * perSource > most) return undefined
    few = enough
    enough *= 2
  }
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2)
    if (isEnough(middle)) enough = middle
    else few = middle
  }
  return planAt(enough * perSource, expected, aim)
}
