import { mergeSmall } from '../../statistics/calibration/merge-small.ts'
import type { FrameAnswer } from '../unit.ts'

/** Where a benchmark's answers are cut into thirds by the jury's score; equal scores are parted by digest. */
export type Cut = readonly [jury: number, answer: string]

/** A group of one model's answers of which some are drawn by chance. */
export interface RatingStratum {
  readonly benchmark: string
  readonly model: string
  /** Thirds of the benchmark by the jury's score, 0 lowest; several where one held too few. */
  readonly thirds: readonly number[]
  readonly answers: readonly FrameAnswer[]
  /** As in a study: absent for those of its first draw. */
  readonly wave?: number
}

const THIRDS = 3

/** Fewer are put together with the next third. */
const FEWEST = 6

const below = ([jury, answer]: Cut, [otherJury, otherAnswer]: Cut): boolean =>
  jury < otherJury || (jury === otherJury && answer < otherAnswer)

const placeOf = ({ jury, answer }: FrameAnswer): Cut => [jury ?? NaN, answer]

/** The greatest place of each third but the last. @param answers judged ones of one benchmark, all models */
export const cutsOf = (answers: readonly FrameAnswer[]): readonly Cut[] => {
  const places = answers.map(placeOf).toSorted((a, b) => (below(a, b) ? -1 : Number(below(b, a))))
  return Array.from({ length: THIRDS - 1 }, (_, third) => {
    const last = Math.ceil((places.length * (third + 1)) / THIRDS) - 1
    return places[Math.max(0, last)] ?? [0, '']
  })
}

export const thirdOf = (answer: FrameAnswer, cuts: readonly Cut[]): number => {
  const place = placeOf(answer)
  const at = cuts.findIndex((cut) => !below(cut, place))
  return at < 0 ? cuts.length : at
}

/** A model's judged answers of one benchmark by thirds, small ones merged with their neighbour. */
export const strataOf = (answers: readonly FrameAnswer[], cuts: readonly Cut[]): readonly RatingStratum[] => {
  const [first] = answers
  if (first === undefined) return []
  const { benchmark, model } = first
  const byThird = Array.from({ length: THIRDS }, (): FrameAnswer[] => [])
  for (const answer of answers) byThird[thirdOf(answer, cuts)]?.push(answer)
  const thirds = byThird.flatMap((own, third): readonly RatingStratum[] =>
    own.length === 0 ? [] : [{ benchmark, model, thirds: [third], answers: own }],
  )
  return mergeSmall(thirds, ({ answers: own }) => own.length >= FEWEST, joined)
}

const joined = (a: RatingStratum, b: RatingStratum): RatingStratum => ({
  ...a,
  thirds: [...a.thirds, ...b.thirds],
  answers: [...a.answers, ...b.answers],
})
