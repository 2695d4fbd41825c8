import { ProblemError, type Problem } from '../../cache/problems/problem.ts'

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
