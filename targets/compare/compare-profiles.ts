import { meanOf } from '../statistics/mean.ts'
import type { ProfileReading, ReadRequest } from './profile-run.ts'

/** Why two profiles give one model's answer to one question other values, the first that holds. */
export const PROFILE_CAUSES = [
  /** One profile asks questions that the other does not. */
  'other-questions',
  /** The same question in other words, or with other sampling. */
  'other-prompt',
  /** One profile has a value where the other has none. */
  'not-measured',
  /** The same reply, read as another answer: cut at max_tokens. */
  'answer-cut',
  /** The same answer, of which judges or queries made something else. */
  'judged-otherwise',
  /** The same judgements, or none, made another number. */
  'scored-otherwise',
] as const

export type ProfileCause = (typeof PROFILE_CAUSES)[number]

/** What a cause does to the main metric. */
export interface CauseShare {
  readonly cause: ProfileCause
  /** Requests that it concerns, of both sides where a side lacks them. */
  readonly requests: number
  /** Of these, those whose values differ; all that one side lacks. */
  readonly changed: number
  /** Its part of the difference of the means: the parts add up to it. */
  readonly difference: number
}

export interface ProfileComparison {
  readonly suite: string
  readonly name: string
  readonly metric: string
  /** Requests with a value, and their mean; null without any. */
  readonly a: { readonly requests: number; readonly mean: number | null }
  readonly b: { readonly requests: number; readonly mean: number | null }
  /** B − A; null where a side has no value. */
  readonly difference: number | null
  /** Causes that concern a request, in the order above. */
  readonly causes: readonly CauseShare[]
}

/** One model's answers under two profiles: where their values differ, and by what. */
export const compareProfiles = (a: ProfileReading, b: ProfileReading): ProfileComparison => {
  const others = new Map(b.requests.map((request) => [request.question, request]))
  const pairs = a.requests.flatMap((before) => {
    const after = others.get(before.question)
    return after === undefined ? [] : [{ before, after }]
  })
  const [valuesA, valuesB] = [valuesOf(a.requests), valuesOf(b.requests)]
  const [meanA, meanB] = [meanIfAny(valuesA), meanIfAny(valuesB)]
  return {
    suite: a.suite,
    name: a.name,
    metric: a.mainMetric,
    a: { requests: valuesA.length, mean: meanA },
    b: { requests: valuesB.length, mean: meanB },
    difference: meanA === null || meanB === null ? null : meanB - meanA,
    causes: [
      ...unpairedShare(a, b, pairs),
      ...unmeasuredShare(pairs),
      ...measuredShares(pairs.filter(({ before, after }) => before.value !== null && after.value !== null)),
    ].toSorted((left, right) => PROFILE_CAUSES.indexOf(left.cause) - PROFILE_CAUSES.indexOf(right.cause)),
  }
}

interface Pair {
  readonly before: ReadRequest
  readonly after: ReadRequest
}

const valuesOf = (requests: readonly ReadRequest[]): readonly number[] =>
  requests.flatMap(({ value }) => value ?? [])

const meanIfAny = (values: readonly number[]): number | null => (values.length === 0 ? null : meanOf(values))

/** How far B's mean lies above A's, 0 where a side has none. */
const lift = (a: readonly number[], b: readonly number[]): number =>
  a.length === 0 || b.length === 0 ? 0 : meanOf(b) - meanOf(a)

const sidesOf = (pairs: readonly Pair[]): readonly [readonly number[], readonly number[]] => [
  valuesOf(pairs.map(({ before }) => before)),
  valuesOf(pairs.map(({ after }) => after)),
]

/** What remains of the difference once both sides are cut down to the questions that both ask. */
const unpairedShare = (
  a: ProfileReading,
  b: ProfileReading,
  pairs: readonly Pair[],
): readonly CauseShare[] => {
  const requests = a.requests.length + b.requests.length - 2 * pairs.length
  if (requests === 0) return []
  const difference = lift(valuesOf(a.requests), valuesOf(b.requests)) - lift(...sidesOf(pairs))
  return [{ cause: 'other-questions', requests, changed: requests, difference }]
}

/** What remains of it once both sides are cut down to the questions that both have a value of. */
const unmeasuredShare = (pairs: readonly Pair[]): readonly CauseShare[] => {
  const lost = pairs.filter(({ before, after }) => (before.value === null) !== (after.value === null))
  if (lost.length === 0) return []
  const whole = pairs.filter(({ before, after }) => before.value !== null && after.value !== null)
  const difference = lift(...sidesOf(pairs)) - lift(...sidesOf(whole))
  return [{ cause: 'not-measured', requests: lost.length, changed: lost.length, difference }]
}

const measuredShares = (pairs: readonly Pair[]): readonly CauseShare[] =>
  PROFILE_CAUSES.flatMap((cause) => {
    const own = pairs.filter((pair) => causeOf(pair) === cause)
    if (own.length === 0) return []
    const changes = own.map(({ before, after }) => (after.value ?? 0) - (before.value ?? 0))
    const difference = changes.reduce((sum, change) => sum + change, 0) / pairs.length
    return [
      { cause, requests: own.length, changed: changes.filter((change) => change !== 0).length, difference },
    ]
  })

/** Undefined where both profiles read the same. */
const causeOf = ({ before, after }: Pair): ProfileCause | undefined => {
  if (before.request !== after.request) return 'other-prompt'
  if (before.answer !== after.answer) return 'answer-cut'
  if (before.annotations !== after.annotations) return 'judged-otherwise'
  return before.value === after.value ? undefined : 'scored-otherwise'
}
