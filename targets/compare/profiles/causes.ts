import type { ItemGrading } from '../../../benchmarks/scenario/benchmark.ts'
import { REQUEST_PARTS, type ReadRequest, type RequestPart } from './read-profile-run.ts'

/** Why two profiles give one model's answer to one question other values. */
export const PROFILE_CAUSES = [
  /** One profile asks what the data has no answer to; the other leaves it out. */
  'unanswerable',
  /** One profile asks questions that the other does not. */
  'other-questions',
  /** One profile has a value where the other has none. */
  'not-measured',
  /** The same verdicts of graders: points below 0 are folded in one profile. */
  'folded',
  /** The same verdicts: grades of other judges, and of another question, count in one profile. */
  'mixed-in',
  /** The same question in other words, or with other sampling. */
  'asked-otherwise',
  /** The same reply, read as another answer: cut at max_tokens. */
  'answer-cut',
  /** The same answer, of which judges or queries made something else. */
  'judged-otherwise',
  /** The same judgements, or none, made another number. */
  'scored-otherwise',
] as const

export type ProfileCause = (typeof PROFILE_CAUSES)[number]

/** A request that both profiles have. */
export interface ProfilePair {
  readonly before: ReadRequest
  readonly after: ReadRequest
}

/** What a cause does to the value of one request. */
interface CauseStep {
  readonly cause: ProfileCause
  readonly change: number
}

export interface Gradings {
  readonly before: ItemGrading['style'] | undefined
  readonly after: ItemGrading['style'] | undefined
}

/** Steps from one profile's value to the other's, for a request that both measured; none where nothing differs. */
export const stepsOf = (pair: ProfilePair, { before, after }: Gradings): readonly CauseStep[] => {
  if (before === 'health-bench' && after === 'medhelm-0.8') return foldingSteps(pair.before, pair.after)
  if (before === 'medhelm-0.8' && after === 'health-bench')
    return foldingSteps(pair.after, pair.before).map(({ cause, change }) => ({ cause, change: -change }))
  return restStep(pair, valueOf(pair.after) - valueOf(pair.before))
}

/** Parts of the request that differ. */
export const partsAsked = ({ before, after }: ProfilePair): readonly RequestPart[] =>
  REQUEST_PARTS.filter((part) => before.request[part] !== after.request[part])

/**
 * From the authors' value to medhelm 0.8.0's: the authors' verdicts by the folded rule; then what the other replies and
 * verdicts give by that rule; then what medhelm 0.8.0 mixes into it. Where the authors' verdicts can't be folded, the
 * other ones tell what folding does.
 */
const foldingSteps = (authors: ReadRequest, fork: ReadRequest): readonly CauseStep[] => {
  const folded = authors.verdicts?.['medhelm-0.8']
  const unmixed = fork.verdicts?.['medhelm-0.8'] ?? valueOf(fork)
  const mixed = stepIf('mixed-in', valueOf(fork) - unmixed)
  if (folded !== undefined)
    return [
      { cause: 'folded', change: folded - valueOf(authors) },
      ...restStep({ before: authors, after: fork }, unmixed - folded),
      ...mixed,
    ]
  const points = fork.verdicts?.['health-bench']
  return [
    ...restStep({ before: authors, after: fork }, (points ?? unmixed) - valueOf(authors)),
    ...(points === undefined ? [] : [{ cause: 'folded' as const, change: unmixed - points }]),
    ...mixed,
  ]
}

const stepIf = (cause: ProfileCause, change: number): readonly CauseStep[] =>
  change === 0 ? [] : [{ cause, change }]

/** The first cause that holds has it all. */
const restStep = ({ before, after }: ProfilePair, change: number): readonly CauseStep[] => {
  if (partsAsked({ before, after }).length > 0) return [{ cause: 'asked-otherwise', change }]
  if (before.answer !== after.answer) return [{ cause: 'answer-cut', change }]
  if (before.annotations !== after.annotations) return [{ cause: 'judged-otherwise', change }]
  return stepIf('scored-otherwise', change)
}

const valueOf = ({ value }: ReadRequest): number => value ?? 0
