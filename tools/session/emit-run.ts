import type { Json } from '../../cache/values/json.ts'
import type { Store } from '../../cache/store.ts'
import type { TargetResult } from '../../targets/scheduler/run-targets.ts'
import { viewRecord } from '../../targets/walk/modes/read.ts'
import type { SharedEnv } from '../../targets/env/env.ts'
import { stampOf } from '../helm/write/file-stamp.ts'
import { closeToOthers, openRunFolder } from '../helm/run-folder.ts'
import { sweepStaged } from '../../cache/files/staged-name.ts'
import { RUN_FILES, writeRun } from '../helm/write/write-run.ts'
import { emittedId, readingOf, refuseOtherReading } from './other-reading.ts'

/**
 * Writes HELM's five files of a record unless they stand there as this record last wrote them.
 * The files are a view: deleted or edited ones are written anew from the store.
 *
 * @returns whether anything was written
 * @throws ProblemError `runs/other-reading` where the directory holds a run read otherwise
 */
export const emitRun = async (
  directory: string,
  result: Pick<TargetResult, 'target' | 'record' | 'digest'>,
  env: SharedEnv,
): Promise<boolean> => {
  const { benchmark } = result.target.spec
  if (benchmark.access !== 'public') await closeToOthers(directory)
  if (isEmitted(directory, result.digest, env.records)) return false
  refuseOtherReading(directory, result.record, env.records)
  const view = await viewRecord(result.target, result, env)
  const folder = await openRunFolder(directory, benchmark)
  sweepStaged(directory)
  await writeRun(folder, {
    runSpec: result.target.spec,
    states: () => view.states(),
    stats: result.record.stats,
    perInstanceStats: () => view.perInstanceStats(),
  })
  const files = stampOf(directory, FILES)
  await env.records.put('files', emittedId(directory), {
    record: result.digest,
    files: files ?? null,
    reading: readingOf(result.record),
  } satisfies Record<string, Json>)
  return true
}

const isEmitted = (directory: string, record: string, store: Store): boolean => {
  const known = store.get('files', emittedId(directory)) as
    | { record: string; files: string | null }
    | undefined
  return known !== undefined && known.record === record && known.files === stampOf(directory, FILES)
}

const FILES = Object.values(RUN_FILES)
