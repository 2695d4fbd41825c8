import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../../cache/json.ts'
import type { Store } from '../../cache/store.ts'
import type { TargetResult } from '../../targets/scheduler/run-targets.ts'
import { viewRecord } from '../../targets/walk/read.ts'
import type { StageEnv } from '../../targets/stages/env.ts'
import { stampOf } from '../helm/file-stamp.ts'
import { sweepStaged } from '../helm/staged-file.ts'
import { RUN_FILES, writeRun } from '../helm/write-run.ts'
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
  env: StageEnv,
): Promise<boolean> => {
  const { access } = result.target.spec.benchmark
  if (access !== 'public') await closeToOthers(directory)
  if (isEmitted(directory, result.digest, env.store)) return false
  refuseOtherReading(directory, result.record, env.store)
  const view = await viewRecord(result.target, result, env)
  await mkdir(directory, { recursive: true })
  sweepStaged(directory)
  // Files take over their folder's mode.
  if (access !== 'public') await chmod(directory, 0o700)
  await writeRun(directory, {
    runSpec: result.target.spec,
    states: () => view.states(),
    stats: result.record.stats,
    perInstanceStats: () => view.perInstanceStats(),
  })
  const files = stampOf(directory, FILES)
  await env.store.put('files', emittedId(directory), {
    record: result.digest,
    files: files ?? null,
    reading: readingOf(result.record),
  } satisfies Record<string, Json>)
  return true
}

/** What was written while the benchmark was public. */
const closeToOthers = async (directory: string): Promise<void> => {
  const mode = (await stat(directory).catch(() => undefined))?.mode
  if (mode === undefined || (mode & 0o077) === 0) return
  await chmod(directory, 0o700)
  for (const entry of await readdir(directory, { withFileTypes: true }))
    if (entry.isFile()) await chmod(join(directory, entry.name), 0o600)
}

export const isEmitted = (directory: string, record: string, store: Store): boolean => {
  const known = store.get('files', emittedId(directory)) as
    | { record: string; files: string | null }
    | undefined
  return known !== undefined && known.record === record && known.files === stampOf(directory, FILES)
}

const FILES = Object.values(RUN_FILES)
