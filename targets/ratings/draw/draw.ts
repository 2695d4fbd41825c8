import { groupBy } from '../../../cache/lists.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import type { Access } from '../../../benchmarks/scenario/benchmark.ts'
import { neymanAllocation } from '../../statistics/calibration/neyman.ts'
import { cutsOf, strataOf, type Cut, type RatingStratum } from './strata.ts'
import { frameDraw, type FrameDraw } from './frame-draw.ts'
import { shortDigest, type Study, type StudyFrame, type StudyUnit } from '../study.ts'
import { unitKey, type FrameAnswer } from '../unit.ts'
import { remembered } from '../../../cache/once.ts'

/** All answers of one model to one benchmark, judged or not. */
export interface DrawnAnswers {
  readonly benchmark: string
  readonly model: string
  readonly access: Access
  readonly rubric: string
  /** From the least score of the rubric to the greatest, in points. */
  readonly range: number
  readonly answers: readonly FrameAnswer[]
  /** Answers of it that are to be rated. */
  readonly labels: number
  /** Standard deviations of what the jury leaves unexplained, by third: labels go where they gain most. */
  readonly residuals?: readonly number[]
}

type Drawn = Pick<Study, 'cuts' | 'frames' | 'units'>

/** A draw, and what it left, by stratum and in its order. */
interface Draw extends Drawn {
  readonly left: readonly (readonly FrameAnswer[])[]
}

/**
 * Draws answers by chance within strata of the jury's score. The draw is the order of SHA-256(seed, study, unit): it is
 * the same on every machine, a larger one holds the smaller, and a model more changes nothing for the others.
 *
 * @param before the study that is extended: its units stay, with their numbers, and its strata, less what is gone; what
 *   came since has strata of its own, as no label of the former draw speaks for it
 */
export const drawUnits = (
  runs: readonly DrawnAnswers[],
  { id, seed }: Pick<Study, 'id' | 'seed'>,
  before: Drawn = { cuts: [], frames: [], units: [] },
): Draw => {
  const places = new Map<FrameAnswer, string>()
  const place = (answer: FrameAnswer): string =>
    remembered(places, answer, () => digestOf(JSON.stringify([seed, id, unitKey(answer)])))
  const cuts = new Map(before.cuts.map((each) => [each.benchmark, each.cuts as readonly Cut[]]))
  for (const { benchmark } of runs)
    if (!cuts.has(benchmark))
      cuts.set(
        benchmark,
        cutsOf(runs.filter((run) => run.benchmark === benchmark).flatMap((run) => judged(run.answers))),
      )
  const drawnRuns = runs.map((run) => {
    const known = frameDraw(before, run)
    const strata = grownStrata(run, known, cuts.get(run.benchmark) ?? [])
    const sorted = strata.map((stratum) => ({
      ...stratum,
      answers: stratum.answers.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)),
    }))
    // What was drawn before stays drawn: of those left in a stratum the first in the order of the draw.
    const taken = sorted.map(
      ({ answers }) => answers.findLastIndex((answer) => known?.drawn.has(unitKey(answer)) === true) + 1,
    )
    return { run, strata: sorted, drawn: allocate(run, sorted, taken) }
  })
  const gone = before.frames.filter(
    ({ benchmark, model }) => !runs.some((run) => run.benchmark === benchmark && run.model === model),
  )
  const frames = [...drawnRuns.map(frameOf), ...gone]
  const kept = before.units.map((unit) => ({
    ...unit,
    drawn: movedDraws(unit, before.frames, gone, runs.length),
  }))
  const units = unitsOf(drawnRuns, kept)
  const rated = new Set(units.map(unitKey))
  return {
    cuts: [...cuts].map(([benchmark, own]) => ({
      benchmark,
      cuts: own.map(([jury, answer]) => [jury, answer]),
    })),
    frames,
    units,
    left: drawnRuns.flatMap(({ strata }) =>
      strata.map(({ answers }) => answers.filter((answer) => !rated.has(unitKey(answer)))),
    ),
  }
}

interface DrawnStrata {
  readonly run: DrawnAnswers
  readonly strata: readonly RatingStratum[]
  readonly drawn: readonly number[]
}

const judged = (answers: readonly FrameAnswer[]): readonly FrameAnswer[] =>
  answers.filter(({ jury, unrated }) => jury !== null && unrated === undefined)

/** A model that answers an instance twice alike is rated once. */
const oncePerUnit = (answers: readonly FrameAnswer[]): readonly FrameAnswer[] => [
  ...new Map(answers.map((answer) => [unitKey(answer), answer])).values(),
]

/** The strata of a former draw with those of its answers that are left, then those of what came since. */
const grownStrata = (
  { benchmark, model, answers }: DrawnAnswers,
  known: FrameDraw | undefined,
  cuts: readonly Cut[],
): readonly RatingStratum[] => {
  const all = oncePerUnit(judged(answers))
  if (known === undefined) return strataOf(all, cuts)
  const left = groupBy(all, (answer) => known.stratumOf(answer)?.toString())
  const since = all.filter((answer) => known.stratumOf(answer) === undefined)
  return [
    ...known.strata.flatMap(({ thirds, wave: own }, at): readonly RatingStratum[] => {
      const held = left.get(String(at))
      if (held === undefined) return []
      return [{ benchmark, model, thirds, answers: held, ...(own === undefined ? {} : { wave: own }) }]
    }),
    ...strataOf(since, cuts).map((stratum) => ({ ...stratum, wave: known.lastWave + 1 })),
  ]
}

/** At least two of a stratum; else in proportion to its size, or by Neyman's rule where residuals are known. */
const allocate = (
  { labels, residuals }: DrawnAnswers,
  strata: readonly RatingStratum[],
  taken: readonly number[],
): readonly number[] => {
  const sizes = strata.map(({ answers }) => answers.length)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const least = sizes.map((size, index) => Math.max(taken[index] ?? 0, Math.min(2, size)))
  const total = Math.max(
    Math.min(labels, all),
    least.reduce((sum, each) => sum + each, 0),
  )
  const parts = strata.map(({ thirds, answers }) => ({
    size: answers.length,
    sd: residuals === undefined ? 1 : Math.max(...thirds.map((third) => residuals[third] ?? 1)),
  }))
  return neymanAllocation(parts, total, { least: 2, taken }) ?? least
}

const frameOf = ({ run, strata, drawn }: DrawnStrata): StudyFrame => {
  const { benchmark, model, access, rubric, answers } = run
  const of = (kind: FrameAnswer['unrated']): number =>
    answers.filter(({ unrated }) => unrated === kind).length
  return {
    benchmark,
    model,
    access,
    rubric,
    answers: answers.length,
    left_out: { failed: of('failed'), empty: of('empty'), unjudged: of('unjudged') },
    strata: strata.map((stratum, index) => ({
      thirds: [...stratum.thirds],
      size: stratum.answers.length,
      drawn: drawn[index] ?? 0,
      answers: stratum.answers
        .map(({ answer }) => shortDigest(answer))
        .toSorted()
        .join(' '),
      ...(stratum.wave === undefined ? {} : { wave: stratum.wave }),
    })),
  }
}

/** Frames of runs that are no longer asked for move behind those that are. */
const movedDraws = (
  { drawn }: StudyUnit,
  before: readonly StudyFrame[],
  gone: readonly StudyFrame[],
  first: number,
): StudyUnit['drawn'] =>
  drawn.flatMap(([frame, stratum]) => {
    const own = before[frame]
    const at = own === undefined ? -1 : gone.indexOf(own)
    return at < 0 ? [] : [[first + at, stratum] as [number, number]]
  })

const unitsOf = (runs: readonly DrawnStrata[], before: readonly StudyUnit[]): StudyUnit[] => {
  const units = new Map(before.map((unit) => [unitKey(unit), unit]))
  for (const [frame, { run, strata, drawn }] of runs.entries())
    for (const [stratum, { answers }] of strata.entries())
      for (const answer of answers.slice(0, drawn[stratum])) {
        const { instance, answer: text, rubric } = answer
        const key = unitKey(answer)
        const known = units.get(key) ?? {
          number: units.size + 1,
          benchmark: run.benchmark,
          instance,
          answer: text,
          rubric,
          drawn: [],
        }
        units.set(key, { ...known, drawn: [...known.drawn, [frame, stratum]] })
      }
  return [...units.values()]
}
