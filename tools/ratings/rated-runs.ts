import { join } from 'node:path'
import { filesBelow } from '../../cache/files/folders.ts'
import { readFileSync } from '../../cache/files/read.ts'
import { instanceRubric } from '../../targets/jury/grading/grade-answer.ts'
import { scenarioOf } from '../../targets/runs/board-metric.ts'
import { gradedScore } from '../../targets/ratings/rubric/graded-score.ts'
import { rubricDigest } from '../../targets/ratings/rubric/rating-rubric.ts'
import type { CurrentRating } from '../../targets/ratings/current-ratings.ts'
import { keyedDigest, unitKey, type FrameAnswer } from '../../targets/ratings/unit.ts'
import type { Rating } from '../../targets/jury/study/ratings.ts'
import { shortDigest } from '../../targets/ratings/study.ts'
import { remembered } from '../../cache/once.ts'
import { meanOf, meanOrNull } from '../../targets/statistics/mean.ts'
import type { JudgedTarget } from '../jury/judged-runs.ts'
import { juryByCriterion, type StoredAnswer } from '../jury/rated-runs.ts'
import type { Session } from '../session/session.ts'
import { keptAnswers } from './kept-answers.ts'
import { createRatingVault } from './rating-vault.ts'

/** A judged run's answers as plans and ratings name them. */
export interface RatableAnswers {
  readonly run: JudgedTarget
  readonly benchmark: string
  readonly model: string
  readonly rubric: string
  /** In the order of the run, the first trial's: its rows. */
  readonly answers: readonly RatableAnswer[]
}

export interface RatableAnswer extends FrameAnswer {
  /** As the run names it; may be a patient's: never in a plan or a rating. */
  readonly instanceId: string
}

/** Jury scores of a table that are no further from a run's are the same. */
const SAME = 1e-6

/**
 * Whether a table's rating is of the answer that a run holds now: by the digests that an export has, else by the jury's scores
 * that stand beside it. An answer may have changed since, under the same name.
 */
export const isOfAnswer = (
  {
    answer,
    rubric,
    jury,
    criteria = [],
    juryBy: part,
  }: Pick<Rating, 'answer' | 'rubric' | 'jury' | 'criteria' | 'juryBy'>,
  { jury: whole, juryBy }: Pick<StoredAnswer, 'jury' | 'juryBy'>,
  held: Pick<RatableAnswer, 'answer' | 'rubric'> | undefined,
): boolean => {
  if (answer !== undefined) return answer === held?.answer && rubric === held.rubric
  // A table may have some of the criteria alone, and judges may score more than the rubric's.
  const names = part === undefined ? criteria : [...part.keys()]
  const told = part === undefined ? jury : [...part.values()]
  const own = names.flatMap((name) => juryBy?.get(name) ?? [])
  const scores = [whole, own.length === told.length ? meanOrNull(own) : null]
  return told.length === 0 || scores.some((each) => each !== null && Math.abs(meanOf(told) - each) <= SAME)
}

/** What of a session tells a run's answers. */
type RatableSession = Pick<Session, 'env' | 'vault' | 'followAccess' | 'workspace'>

/** First digits of what plans and ratings name. Read as text: a damaged study is none of another's business. */
const namedDigests = (root: string): ReadonlySet<string> =>
  new Set(
    filesBelow(join(root, 'ratings')).flatMap(
      (file) => readFileSync(file, 'latin1').match(/\b[0-9a-f]{16}/g) ?? [],
    ),
  )

const namedIn = new WeakMap<RatableSession, ReadonlySet<string>>()

/**
 * The digests of a run's answers. Of one that is not public they are keyed. What was named before its benchmark's access changed
 * keeps its name: clinicians rate nothing twice.
 */
export const ratableRun = async (run: JudgedTarget, session: RatableSession): Promise<RatableAnswers> => {
  const { env, vault, followAccess, workspace } = session
  const { spec } = run.target
  const { access } = spec.benchmark
  const isKept = followAccess !== undefined
  const keys = createRatingVault(vault, isKept)
  const key = await keys.digestKey(access)
  const known = remembered(namedIn, session, () => namedDigests(workspace.root))
  const former = known.size > 0 ? await keys.formerKey(access) : key
  const named = {
    benchmark: scenarioOf(spec.name),
    model: spec.adapter.modelDeployment,
    rubric: rubricDigest(run.jury),
  }
  const kept = await keptAnswers(run, env, isKept)
  const answers = run.view.asked.flatMap(({ id, digest }, row): readonly RatableAnswer[] => {
    const own = kept[row]
    if (own === undefined) return []
    const { answer, ...rest } = own
    const isNamed = (by: string | undefined): boolean => known.has(shortDigest(keyedDigest(answer, by)))
    // Named by both it was planned anew already, among others by the names that they have now.
    const by = former !== key && isNamed(former) && !isNamed(key) ? former : key
    const digests = { instance: keyedDigest(digest, by), answer: keyedDigest(answer, by) }
    return [{ ...named, ...digests, ...rest, instanceId: String(id) }]
  })
  return { run, ...named, answers }
}

/** What the items of an answer's own rubric are worth. */
export const itemPoints = (
  answer: RatableAnswer,
  runs: readonly Pick<RatableAnswers, 'run' | 'answers'>[],
): readonly number[] => {
  const own = runs.find(({ answers }) => answers.includes(answer))
  if (own === undefined) return []
  const { instance } = own.run.view.state(own.answers.indexOf(answer))
  return instanceRubric(instance).map(({ points }) => points)
}

/** The jury's score of what was judged: the run's that holds the answer, else a table's. */
export const juryOf = (
  runs: readonly Pick<RatableAnswers, 'run' | 'answers'>[],
): ((rating: Pick<CurrentRating, 'subject' | 'content'>) => number | null) => {
  const held = new Map(
    runs.flatMap(({ run, answers }) =>
      answers.map(({ jury, ...answer }, row) => [unitKey(answer), { run, row, jury }] as const),
    ),
  )
  return ({ subject, content: { scores, composite, jury: table = {} } }) => {
    const own = held.get(unitKey(subject))
    if (own === undefined || own.jury === null) return meanOrNull(Object.values(table))
    const { run, row, jury } = own
    const judged = Object.keys(scores)
    // Like with like: a criterion that could not be judged is in neither's.
    if (composite !== undefined) return gradedScore(run.view.state(row), run.reading, new Set(judged), jury)
    if (judged.length >= run.jury.criteria.size) return jury
    const by = juryByCriterion(run.view.state(row), run)
    return meanOrNull(judged.flatMap((name) => by.get(name) ?? []))
  }
}
