import { scenarioOf } from '../../targets/runs/scenario-name.ts'
import { instanceDigest, storedInstance } from '../../targets/record/stored-instance.ts'
import type { RequestState } from '../../targets/record/request-state.ts'
import { rubricDigest } from '../../targets/ratings/rating-rubric.ts'
import { answerDigests, type FrameAnswer, type UnratedKind } from '../../targets/ratings/unit.ts'
import type { JudgedTarget } from '../jury/judged-runs.ts'
import type { RatingVault } from './rating-vault.ts'

/** A judged run's answers as plans and ratings name them. */
export interface RatableAnswers {
  readonly run: JudgedTarget
  readonly benchmark: string
  readonly model: string
  readonly rubric: string
  /** In the order of the run, the first trial's. */
  readonly answers: readonly RatableAnswer[]
}

export interface RatableAnswer extends FrameAnswer {
  /** As the run names it; may be a patient's: never in a plan or a rating. */
  readonly instanceId: string
}

/** Reads the digests of a run's answers. */
export const ratableRun = async (run: JudgedTarget, vault: RatingVault): Promise<RatableAnswers> => {
  const { spec } = run.target
  const key = await vault.digestKey(spec.benchmark.access)
  const named = {
    benchmark: scenarioOf(spec.name),
    model: spec.adapter.modelDeployment,
    rubric: rubricDigest(run.jury),
  }
  const answers = new Map<string, RatableAnswer>()
  for (const state of run.view.states()) {
    const instanceId = String(state.instance.id)
    if (state.trainTrialIndex !== 0 || answers.has(instanceId)) continue
    const text = answerText(state)
    const jury = run.view.ownPoints(state).find(({ name }) => name === 'jury_score_strict')?.value ?? null
    const unrated = unratedKind(text, jury)
    answers.set(instanceId, {
      ...named,
      ...answerDigests({ instance: instanceDigest(storedInstance(state.instance)), text: text ?? '' }, key),
      jury,
      instanceId,
      ...(unrated === undefined ? {} : { unrated }),
    })
  }
  return { run, ...named, answers: [...answers.values()] }
}

export const answerText = ({ result }: RequestState): string | undefined => result?.completions[0]?.text

const unratedKind = (text: string | undefined, jury: number | null): UnratedKind | undefined => {
  if (text === undefined) return 'failed'
  if (text.trim() === '') return 'empty'
  return jury === null ? 'unjudged' : undefined
}
