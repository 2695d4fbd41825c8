import { join } from 'node:path'
import { runTargets } from '../../../targets/scheduler/run-targets.ts'
import { emitRun } from '../../session/emit-run.ts'
import { errorText, type PairWork } from '../batch.ts'
import { failureText } from '../failure-text.ts'
import { writeResult } from '../write-result.ts'

/** The target `score`: judgements and metrics of pairs, and HELM's five files of each. */
export const scorePairs: PairWork = async ({ pairs, session, env, finish }) => {
  const { workspace } = session
  const byTarget = new Map(pairs.map((pair) => [pair.target, pair]))
  const runs = workspace.path(join(workspace.config.output_path, 'runs'))
  await runTargets([...byTarget.keys()], env, {
    onResult: async (result) => {
      const { target, record, digest } = result
      const { name } = target.spec
      if (!record.complete) {
        const retriable = record.failures.filter((failure) => failure.retriable)
        return finish(target, { success: false, text: failureText(retriable, record.rows) })
      }
      const pair = byTarget.get(target)
      if (pair === undefined) throw new RangeError(`${name} was not asked for`)
      for (const suite of pair.suites) await emitRun(join(runs, suite, name), result, env)
      await writeResult(workspace, pair, 'score', { record: digest })
      finish(target, { success: true, text: `${name}: ${record.rows} requests scored` })
    },
    onProblem: (target, error) => finish(target, { success: false, text: errorText(error) }),
  })
}
