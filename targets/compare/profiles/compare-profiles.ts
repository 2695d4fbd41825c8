import { meanOf } from '../../statistics/mean.ts'
import {
  partsAsked,
  PROFILE_CAUSES,
  stepsOf,
  type Gradings,
  type ProfilePair,
  type ProfileCause,
} from './causes.ts'
import { REQUEST_PARTS, type ProfileReading, type ReadRequest, type RequestPart } from './read-profile-run.ts'

/** What a cause does to the main metric. */
interface CauseShare {
  readonly cause: ProfileCause
  /** Requests that it concerns, of both sides where a side lacks them. */
  readonly requests: number
  /** Of these, those that it gives another value; all that one side lacks. */
  readonly changed: number
  /** Its part of the difference of the means: the parts add up to it. */
  readonly difference: number
}

export interface ProfileSide {
  /** Requests with a value, and their mean; null without any. */
  readonly requests: number
  readonly mean: number | null
  /** It was not run under this profile: these are the other one's replies and verdicts, by this one's rule. */
  readonly rescored?: true
}

export interface ProfileComparison {
  readonly suite: string
  readonly name: string
  readonly metric: string
  readonly a: ProfileSide
  readonly b: ProfileSide
  /** B − A; null where a side has no value. */
  readonly difference: number | null
  /** Requests with another value, or of one side only. */
  readonly changed: number
  /** Causes that concern a request, in the order of `PROFILE_CAUSES`. */
  readonly causes: readonly CauseShare[]
  /** Parts of the requests that one profile sends otherwise. */
  readonly askedOtherwise: readonly RequestPart[]
}

/** One model's answers under two profiles: where their values differ, and by what. */
export const compareProfiles = (
  a: ProfileReading,
  b: ProfileReading,
  rescored?: 'a' | 'b',
): ProfileComparison => {
  const others = new Map(b.requests.map((request) => [request.question, request]))
  const pairs = a.requests.flatMap((before) => {
    const after = others.get(before.question)
    return after === undefined ? [] : [{ before, after }]
  })
  const [sideA, sideB] = [sideOf(a, rescored === 'a'), sideOf(b, rescored === 'b')]
  const asked = new Set(pairs.flatMap(partsAsked))
  return {
    suite: a.suite,
    name: a.name,
    metric: a.mainMetric,
    a: sideA,
    b: sideB,
    difference: sideA.mean === null || sideB.mean === null ? null : sideB.mean - sideA.mean,
    changed:
      a.requests.length -
      pairs.length +
      (b.requests.length - pairs.length) +
      pairs.filter(({ before, after }) => before.value !== after.value).length,
    causes: [
      ...unpairedShares(a, b, pairs),
      ...unmeasuredShare(pairs),
      ...measuredShares(
        pairs.filter(({ before, after }) => before.value !== null && after.value !== null),
        { before: a.grading, after: b.grading },
      ),
    ].toSorted((left, right) => PROFILE_CAUSES.indexOf(left.cause) - PROFILE_CAUSES.indexOf(right.cause)),
    askedOtherwise: REQUEST_PARTS.filter((part) => asked.has(part)),
  }
}

const sideOf = ({ requests }: ProfileReading, rescored: boolean): ProfileSide => {
  const values = valuesOf(requests)
  return {
    requests: values.length,
    mean: values.length === 0 ? null : meanOf(values),
    ...(rescored && { rescored }),
  }
}

const valuesOf = (requests: readonly ReadRequest[]): readonly number[] =>
  requests.flatMap(({ value }) => value ?? [])

/** How far B's mean lies above A's, 0 where a side has none. */
const lift = (a: readonly ReadRequest[], b: readonly ReadRequest[]): number => {
  const [before, after] = [valuesOf(a), valuesOf(b)]
  return before.length === 0 || after.length === 0 ? 0 : meanOf(after) - meanOf(before)
}

type Sides = readonly [readonly ReadRequest[], readonly ReadRequest[]]

const sidesOf = (pairs: readonly ProfilePair[]): Sides => [
  pairs.map(({ before }) => before),
  pairs.map(({ after }) => after),
]

/**
 * What remains of the difference once both sides are cut down to the questions that both ask: first by those that the
 * data has no answer to.
 */
const unpairedShares = (
  a: ProfileReading,
  b: ProfileReading,
  pairs: readonly ProfilePair[],
): readonly CauseShare[] => {
  const paired = new Set(pairs.map(({ before }) => before.question))
  const isKept = ({ question, unanswerable }: ReadRequest): boolean => !unanswerable || paired.has(question)
  const all: Sides = [a.requests, b.requests]
  const kept: Sides = [a.requests.filter(isKept), b.requests.filter(isKept)]
  return [...shareOf('unanswerable', all, kept), ...shareOf('other-questions', kept, sidesOf(pairs))]
}

/** What leaving out some of the requests does to the difference. */
const shareOf = (cause: ProfileCause, all: Sides, kept: Sides): readonly CauseShare[] => {
  const requests = all.flat().length - kept.flat().length
  return requests === 0
    ? []
    : [{ cause, requests, changed: requests, difference: lift(...all) - lift(...kept) }]
}

/** What remains of it once both sides are cut down to the questions that both have a value of. */
const unmeasuredShare = (pairs: readonly ProfilePair[]): readonly CauseShare[] => {
  const lost = pairs.filter(({ before, after }) => (before.value === null) !== (after.value === null))
  if (lost.length === 0) return []
  const whole = pairs.filter(({ before, after }) => before.value !== null && after.value !== null)
  const difference = lift(...sidesOf(pairs)) - lift(...sidesOf(whole))
  return [{ cause: 'not-measured', requests: lost.length, changed: lost.length, difference }]
}

const measuredShares = (pairs: readonly ProfilePair[], gradings: Gradings): readonly CauseShare[] => {
  const steps = pairs.flatMap((pair) => stepsOf(pair, gradings))
  return PROFILE_CAUSES.flatMap((cause) => {
    const changes = steps.flatMap((step) => (step.cause === cause ? step.change : []))
    if (changes.length === 0) return []
    const difference = changes.reduce((sum, change) => sum + change, 0) / pairs.length
    return [
      {
        cause,
        requests: changes.length,
        changed: changes.filter((change) => change !== 0).length,
        difference,
      },
    ]
  })
}
