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
  const placed = pairs.filter((pair) => hasPlace(pair, session.workspace, finish))
  const byTarget = new Map(placed.map((pair) => [pair.target, pair]))
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
  const stale = new Set(pairs.filter((pair) => hasPlace(pair, workspace, finish)))
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
      for (const folder of runFolders(pair, workspace)) await emitRun(folder, result, env)
      stale.delete(pair)
      writeResult(workspace, pair, 'score', { record: digest })
      finish(target, { success: true, text: `${name}: ${record.rows} requests scored` })
    },
    onProblem: (target, error) => finish(target, { success: false, text: errorText(error) }),
  })
  for (const pair of stale) for (const folder of runFolders(pair, workspace)) await noteStale(folder)
}

/** Where HELM's files of a pair go: one folder a suite. */
const runFolders = ({ suites, target }: Pair, { config, path }: Workspace): readonly string[] =>
  suites.map((suite) => path(join(config.output_path, 'runs', suite, target.spec.name)))

/** A pair whose files can be laid nowhere ends as a failed task, before anybody is asked for it. */
const hasPlace = (pair: Pair, workspace: Workspace, finish: Parameters<PairWork>[0]['finish']): boolean => {
  try {
    for (const folder of runFolders(pair, workspace)) requirePlace(folder)
    return true
  } catch (error) {
    finish(pair.target, { success: false, text: errorText(error) })
    return false
  }
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
