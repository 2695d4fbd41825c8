import { generateTargets } from '../../../targets/scheduler/generate-targets.ts'
import { errorText, type PairWork } from '../batch.ts'
import { failureText } from '../failure-text.ts'
import { writeResult } from '../write-result.ts'

/** The target `generate`: instances, prompts and completions of pairs. */
export const generatePairs: PairWork = async ({ pairs, session, env, finish }) => {
  const byTarget = new Map(pairs.map((pair) => [pair.target, pair]))
  await generateTargets([...byTarget.keys()], env, {
    onResult: async ({ target, digest, requests, failures }) => {
      if (failures.length > 0)
        return finish(target, { success: false, text: failureText(failures, requests) })
      const pair = byTarget.get(target)
      if (pair === undefined) throw new RangeError(`${target.spec.name} was not asked for`)
      await writeResult(session.workspace, pair, 'generate', { completions: digest })
      finish(target, { success: true, text: `${target.spec.name}: ${requests} completions` })
    },
    onProblem: (target, error) => finish(target, { success: false, text: errorText(error) }),
  })
}
