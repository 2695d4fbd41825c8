import { columnsOf, samplesOf } from '../missing/difference-with-missing.ts'
import { NO_SPREAD, upperLimit, upperP } from '../paired/contrast.ts'
import { midPOfLoss, tango } from '../paired/tango.ts'
import { areAnswers, discordantOf } from '../paired/pair-difference.ts'
import type { PairedSides } from '../paired/paired-sides.ts'

/** What two sides' answers say of a loss, A − B in shares of the scale. */
export interface LossEvidence {
  /** Instances of both sides together, and those that both have. */
  readonly n: number
  readonly common: number
  /** On common instances; undefined without one. */
  readonly loss?: number
  /** Where the loss over all instances must lie. */
  readonly bounds: { readonly low: number; readonly high: number }
  /** One-sided, that there is no loss. 1 where one source is all there is. */
  readonly p: number
  /** What the loss stays below with confidence 1 − α; 1 where one source is all there is. */
  readonly upper: number
  /** Of a rerun of this size; undefined for one source, the error 0 where nothing spreads. */
  readonly plan?: { readonly standardError: number; readonly df: number }
}

/**
 * Evidence of a loss over runs that share sources or not. Where judgements are missing p takes them in favour of B and
 * the limit against it, so neither rests on what was not read.
 *
 * @param runs both sides on the unit scale, more is better
 * @param isBinary whether an answer's value is 0 or 1 by definition
 */
export const lossEvidence = (
  runs: readonly PairedSides[],
  isBinary: boolean,
  alpha: number,
): LossEvidence => {
  const losses = runs.map((run) => samplesOf({ ...run, a: run.b, b: run.a }))
  const { low, high, strict } = columnsOf(losses)
  const base = {
    n: low.n,
    common: strict.n,
    ...(strict.n > 0 && { loss: strict.estimate }),
    bounds: { low: low.estimate, high: high.estimate },
    ...(high.known !== undefined && {
      plan: {
        standardError: high.known.variance <= NO_SPREAD ? 0 : Math.sqrt(high.known.variance),
        df: high.known.df,
      },
    }),
  }
  const [run] = runs
  if (run !== undefined && areAnswers(runs, isBinary)) {
    const least = discordantOf(run, { a: 0, b: 1 })
    const most = discordantOf(run, { a: 1, b: 0 })
    if (least !== undefined && most !== undefined)
      return {
        ...base,
        p: midPOfLoss(least.onlyA, least.onlyB),
        upper: -tango(most, 1 - 2 * alpha).low,
      }
  }
  return { ...base, p: upperP(low) ?? 1, upper: upperLimit(high, alpha) ?? 1 }
}
