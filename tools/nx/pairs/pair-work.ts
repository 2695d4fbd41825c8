import { dirname, join } from 'node:path'
import { makeFolder } from '../../../cache/files/folders.ts'
import { replaceFile } from '../../../cache/files/write.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import type { RunFailure } from '../../../targets/record/record.ts'
import { generateTargets } from '../../../targets/scheduler/generate-targets.ts'
import { runTargets } from '../../../targets/scheduler/run-targets.ts'
import { noteStale } from '../../helm/reading-note.ts'
import { emitRun, requirePlace } from '../../session/emit-run.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { errorText, type PairWork } from '../batch.ts'
import { resultPath, type PairTarget } from '../result-path.ts'
import type { Pair } from './pair.ts'

/** The target `generate`: instances, prompts and completions of pairs. */
export const generatePairs: PairWork = async ({ pairs, session, env, finish }) => {
  const byTarget = new Map(pairs.map((pair) => [pair.target, pair]))
  await generateTargets([...byTarget.keys()], env, {
    onResult: async ({ target, digest, requests, failures }) => {
      if (failures.length > 0)
        return finish(target, { success: false, text: failureText(failures, requests) })
      const pair = byTarget.get(target)
      if (pair === undefined) throw new RangeError(`${target.spec.name} was not asked for`)
      writeResult(session.workspace, pair, 'generate', { completions: digest })
      finish(target, { success: true, text: `${target.spec.name}: ${requests} completions` })
    },
    onProblem: (target, error) => finish(target, { success: false, text: errorText(error) }),
  })
}

/** The target `score`: judgements and metrics of pairs, and HELM's five files of each. */
export const scorePairs: PairWork = async ({ pairs, session, env, finish }) => {
  const { workspace } = session
  const runs = workspace.path(join(workspace.config.output_path, 'runs'))
  const hasPlace = ({ suites, target }: Pair): boolean => {
    try {
      for (const suite of suites) requirePlace(join(runs, suite, target.spec.name))
      return true
    } catch (error) {
      finish(target, { success: false, text: errorText(error) })
      return false
    }
  }
  const stale = new Set(pairs.filter(hasPlace))
  const byTarget = new Map([...stale].map((pair) => [pair.target, pair]))
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
      stale.delete(pair)
      writeResult(workspace, pair, 'score', { record: digest })
      finish(target, { success: true, text: `${name}: ${record.rows} requests scored` })
    },
    onProblem: (target, error) => finish(target, { success: false, text: errorText(error) }),
  })
  for (const { suites, target } of stale)
    for (const suite of suites) await noteStale(join(runs, suite, target.spec.name))
}

/** Failures shown of a pair; the rest is counted. */
const SHOWN = 3

const failureText = (failures: readonly RunFailure[], requests: number): string => {
  const lines = failures
    .slice(0, SHOWN)
    .map(
      ({ instance, stage, judge, code, detail }) =>
        `  ${instance}, ${stage}${judge === undefined ? '' : ` by ${judge}`}: ${code} ${detail}`,
    )
  const more = failures.length > SHOWN ? [`  and ${failures.length - SHOWN} more`] : []
  return [
    `error: ${failures.length} failed of ${requests} requests [nx/incomplete]`,
    ...lines,
    ...more,
    '  Run again: only what failed is tried again.',
  ].join('\n')
}

/**
 * Leaves the digest of a pair's result where Nx looks for it. Digests only: this file is copied to Nx's cache, which
 * may be a shared one, and must be the same bytes whenever the result is the same.
 */
const writeResult = (
  workspace: Workspace,
  { project, target }: Pair,
  kind: PairTarget,
  result: JsonObject,
): void => {
  const file = workspace.path(resultPath(project, kind))
  makeFolder(dirname(file))
  replaceFile(file, `${JSON.stringify({ run: target.spec.name, ...result })}\n`, { mode: 0o666 })
}
