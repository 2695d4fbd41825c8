import { sharedIcc } from '../../statistics/agreement/shared-icc.ts'
import type { Interval } from '../../statistics/intervals/wilson.ts'
import { krippendorffAlpha } from '../../statistics/agreement/weighted-alpha.ts'
import { meanOf, squaresOf } from '../../statistics/mean.ts'
import { CONFIDENCE } from '../../statistics/scale.ts'

/** One judge's scores of one answer by criterion; undefined where its reply could not be read. */
export type JudgeVerdict = ReadonlyMap<string, number> | undefined

/** A judge's verdicts of one answer, by repeat. */
export interface RepeatedVerdicts {
  /** What the answer was drawn with: its instance, or a patient. */
  readonly source: string
  readonly verdicts: readonly JudgeVerdict[]
}

/** How alike a judge's verdicts are when it is asked the same again. Undefined figures are not determined by the data. */
export interface RepeatStability {
  /** Answers that the judge was asked about. */
  readonly answers: number
  /** Of these, with two verdicts or more that could be read: what the figures below are of. */
  readonly compared: number
  /** Replies that could not be read. */
  readonly unreadable: number
  /** Answers, 0 to 1, whose every criterion was scored the same each time. */
  readonly identical?: number
  /** Of the judge's mean score of an answer, in points: root of the mean variance within an answer. */
  readonly sd?: number
  /** The most that the score of one criterion of one answer moved, in points; criteria of every verdict only. */
  readonly maxChange?: number
  /** ICC(1,1) of the mean scores of answers read every time: how far one asking stands for all. */
  readonly icc?: { readonly value: number; readonly interval?: Interval }
  /** Krippendorff's α of the mean scores, for interval data. */
  readonly alpha?: number
  /** The judge's mean over the answers read every time, by repeat; empty without such an answer. */
  readonly means: readonly number[]
}

/** @param answers every one has as many verdicts */
export const measureRepeats = (answers: readonly RepeatedVerdicts[]): RepeatStability => {
  const read = answers.map(({ verdicts }) => verdicts.filter((verdict) => verdict !== undefined))
  const several = read.filter((verdicts) => verdicts.length > 1)
  const means = answers.map(({ verdicts }) => verdicts.map(meanScore))
  const whole = answers.flatMap(({ source, verdicts }) => {
    const row = verdicts.flatMap((verdict) => meanScore(verdict) ?? [])
    return row.length < verdicts.length ? [] : [{ source, row }]
  })
  const complete = whole.map(({ row }) => row)
  const repeats = answers[0]?.verdicts.length ?? 0
  return {
    answers: answers.length,
    compared: several.length,
    unreadable: answers.length * repeats - read.reduce((sum, { length }) => sum + length, 0),
    ...(several.length !== 0 && {
      identical: several.filter(areIdentical).length / several.length,
      sd: Math.sqrt(meanOf(several.map(varianceWithin))),
      maxChange: several.reduce((most, verdicts) => Math.max(most, largestChange(verdicts)), 0),
    }),
    ...iccOf(
      complete,
      whole.map(({ source }) => source),
    ),
    ...alphaOf(means, repeats),
    means:
      complete.length === 0
        ? []
        : Array.from({ length: repeats }, (_, repeat) => meanOf(complete.map((row) => row[repeat] ?? NaN))),
  }
}

const meanScore = (verdict: JudgeVerdict): number | null =>
  verdict === undefined ? null : meanOf([...verdict.values()])

const varianceWithin = (verdicts: readonly Read[]): number => {
  const scores = verdicts.map((verdict) => meanScore(verdict) ?? NaN)
  return squaresOf(scores) / (scores.length - 1)
}

type Read = ReadonlyMap<string, number>

/** Over the criteria that every verdict holds. */
const largestChange = (verdicts: readonly Read[]): number => {
  const [first, ...rest] = verdicts
  const shared = [...(first?.keys() ?? [])].filter((criterion) => rest.every((other) => other.has(criterion)))
  const changes = shared.map((criterion) => {
    const scores = verdicts.flatMap((verdict) => verdict.get(criterion) ?? [])
    return Math.max(...scores) - Math.min(...scores)
  })
  return Math.max(0, ...changes)
}

const areIdentical = ([first, ...rest]: readonly Read[]): boolean =>
  rest.every(
    (other) => other.size === first?.size && [...other].every(([name, score]) => first.get(name) === score),
  )

const iccOf = (
  rows: readonly (readonly number[])[],
  sources: readonly string[],
): Pick<RepeatStability, 'icc'> => {
  if (rows.length < 2 || (rows[0]?.length ?? 0) < 2) return {}
  // Said here, as rounding would make something of a spread of 0.
  if (rows.every((row) => row.every((mean) => mean === row[0])))
    return rows.some(([mean]) => mean !== rows[0]?.[0]) ? { icc: { value: 1 } } : {}
  const { value, interval } = sharedIcc(rows, sources, CONFIDENCE)
  if (!Number.isFinite(value)) return {}
  return { icc: interval === undefined ? { value } : { value, interval } }
}

const alphaOf = (
  means: readonly (readonly (number | null)[])[],
  repeats: number,
): Pick<RepeatStability, 'alpha'> => {
  const byRepeat = Array.from({ length: repeats }, (_, repeat) => means.map((row) => row[repeat] ?? null))
  const alpha = krippendorffAlpha(byRepeat)
  return alpha === null ? {} : { alpha }
}
