import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { requireMakeable } from '../../cache/files/folders.ts'
import type { Json } from '../../cache/values/json.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { Store } from '../../cache/store.ts'
import type { TargetResult } from '../../targets/scheduler/run-targets.ts'
import { viewRecord } from '../../targets/walk/modes/read.ts'
import type { SharedEnv } from '../../targets/env/env.ts'
import { READING_FILE, readingText, writeReading, type HowRead } from '../helm/reading-note.ts'
import { stampOf } from '../helm/write/staged-file.ts'
import { closeToOthers, declaredText, openRunFolder, RUN_FILES, writeRun } from '../helm/write/write-run.ts'
import type { Corrections } from '../../benchmarks/scenario/benchmark.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Profile } from '../../targets/profile.ts'

type Emitted = Pick<TargetResult, 'target' | 'digest'>

/**
 * Writes HELM's five files of a record unless they stand there as this record, declared so, last wrote them.
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
  if (isEmitted(directory, result, env.records)) return false
  refuseOtherReading(directory, result.record, env.records)
  const view = await viewRecord(result.target, result, env)
  const folder = await openRunFolder(directory, benchmark)
  // Before the others: of a folder that a killed writer left it says the same.
  await writeReading(directory, readingOf(result.record), benchmark.access === 'public' ? 0o644 : 0o600)
  await writeRun(folder, {
    runSpec: result.target.spec,
    states: () => view.states(),
    stats: view.stats,
    perInstanceStats: () => view.perInstanceStats(),
  })
  const files = stampOf(directory, FILES)
  await env.records.put('files', emittedId(directory), {
    record: contentOf(result),
    files: files ?? null,
    reading: readingOf(result.record),
  } satisfies Record<string, Json>)
  return true
}

/** Words of a declaration are in no key. */
const contentOf = ({ digest, target }: Emitted): string =>
  digestOf<'text'>(digest + declaredText(target.spec))

/**
 * Before anything is paid for. Files that are there may be those of the record: then nothing is to be written.
 * @throws Node's error where no files can be put into a directory
 */
export const requirePlace = (directory: string): void => {
  if (!existsSync(join(directory, RUN_FILES.runSpec))) requireMakeable(directory)
}

/** Whether a directory's files are those of a record, as they were written. */
export const isEmitted = (directory: string, result: Emitted, store: Store): boolean => {
  const known = store.get('files', emittedId(directory)) as
    | { record: string; files: string | null }
    | undefined
  return (
    known !== undefined && known.record === contentOf(result) && known.files === stampOf(directory, FILES)
  )
}

const FILES = [...Object.values(RUN_FILES), READING_FILE]

/** What decides how a run's numbers are to be read, though HELM's name for the run does not say it. */
interface Reading {
  readonly profile: Profile
  readonly errata?: Corrections
}

/** Where the store notes what a directory's files are of. */
const emittedId = (directory: string): string => `run:${directory}`

const readingOf = ({ profile, errata }: Reading): Omit<HowRead, 'stale'> => ({
  profile,
  corrected: [...(errata?.corrected ?? [])],
})

/**
 * A corrected run has the name of the one that reproduces HELM's faults: in one folder the one would silently take the
 * other's place, and tables of the suite would mix them.
 *
 * @throws ProblemError `runs/other-reading`
 */
export const refuseOtherReading = (directory: string, wanted: Reading, store: Store): void => {
  const known = store.get('files', emittedId(directory)) as { readonly reading?: HowRead } | undefined
  const { reading } = known ?? {}
  if (reading === undefined || !existsSync(join(directory, RUN_FILES.runSpec))) return
  if (JSON.stringify(reading) === JSON.stringify(readingOf(wanted))) return
  throw new ProblemError({
    code: 'runs/other-reading',
    message: `the folder holds a run of this name that ${readingText(reading)}; this one ${readingText(readingOf(wanted))}`,
    where: { file: directory },
    remedy:
      'Give another --output-path (for --conf-paths and --run-entries another --suite will do), or delete the folder: nothing is lost, the cache keeps both.',
  })
}
