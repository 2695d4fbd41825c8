import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import type { HelmCompletion, RequestState } from '../record/request-state.ts'

/**
 * One instance can't be measured: its data lacks what the metric compares with, or its answer can't be compared. The
 * originals end their run here; ours records the instance as failed and goes on. Faults of declarations, which every
 * instance would meet, stay plain ProblemErrors.
 */
export class InstanceProblem extends ProblemError {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem)
    this.problem = problem
  }
}

/** An instance's own rubric has nothing that could be earned. */
export const noPoints = (id: string | number): InstanceProblem =>
  new InstanceProblem({
    code: 'targets/no-points',
    message: `the rubric of instance ${JSON.stringify(id)} has no points to reach`,
    remedy: 'Nothing can be scored by it: leave the instance out.',
  })

/** The completion that metrics of one answer read. @throws InstanceProblem `targets/no-completion` */
export const firstCompletion = ({ instance, result }: RequestState): HelmCompletion => {
  const completion = result?.completions[0]
  if (completion !== undefined) return completion
  throw new InstanceProblem({
    code: 'targets/no-completion',
    message: `the model's reply to instance ${JSON.stringify(instance.id)} holds no completion`,
    remedy: 'Ask the model again for this instance.',
  })
}
