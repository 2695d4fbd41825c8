import type { SharedEnv } from '../../targets/env/env.ts'
import type { Target } from '../../targets/record/target.ts'
import { runTargets, type TargetResult } from '../../targets/scheduler/run-targets.ts'

/** Builds targets as a run does. A problem of any fails the test. @param onResult before the next one is begun */
export const buildTargets = async (
  targets: readonly Target[],
  env: SharedEnv,
  onResult: (result: TargetResult) => Promise<void> = async () => undefined,
): Promise<readonly TargetResult[]> => {
  const results: TargetResult[] = []
  await runTargets(targets, env, {
    onResult: async (result) => {
      results.push(result)
      await onResult(result)
    },
    onProblem: (_, error) => {
      throw error
    },
  })
  return results
}
