import { rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { oneByOne } from '../../../cache/claims/holding.ts'
import { makeSyncedFolder, syncFolder } from '../../../cache/files/folders.ts'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { sideBySide } from '../../../cache/lists.ts'
import { READING_FILE } from '../../helm/reading-note.ts'
import { RUN_FILES } from '../../helm/write/write-run.ts'
import { listObjects, type Bucket, type BucketObject, type FetchOptions } from './bucket.ts'
import { fetchObject } from './fetch-object.ts'

const NEEDED: ReadonlySet<string> = new Set([...Object.values(RUN_FILES), READING_FILE])

/** A run in a bucket: what is there of its five files, and the note of how it was read. */
interface RemoteRun {
  /** Its folder's name in the bucket. */
  readonly path: string
  readonly objects: readonly BucketObject[]
}

interface FetchResultsOptions extends FetchOptions {
  readonly matches: (name: string) => boolean
  /** Files under way at once. */
  readonly parallel: number
}

/**
 * Brings the runs of a bucket to the same paths below `folder`. A run's folder appears when all of its files are there and
 * right; parts of unfinished ones wait in `<folder>/.parts` to be gone on with, by one import at a time.
 *
 * @returns the runs' folders, those that were there before included
 * @throws ProblemError `release/no-runs`; one problem for each object that could not be had
 */
export const fetchRuns = async (
  bucket: Bucket,
  folder: string,
  options: FetchResultsOptions,
): Promise<readonly string[]> => {
  const runs = await remoteRuns(bucket, options)
  makeSyncedFolder(folder)
  await oneByOne(`${folder}.claims`, 'fetching', options, () => fetchMissing(bucket, folder, runs, options))
  return runs.map((run) => join(folder, run.path))
}

const fetchMissing = async (
  bucket: Bucket,
  folder: string,
  runs: readonly RemoteRun[],
  options: FetchResultsOptions,
): Promise<void> => {
  const missing = runs.flatMap((run) => {
    const directory = join(folder, run.path)
    return existsSync(directory) ? [] : [{ run, directory, parts: join(folder, '.parts', run.path) }]
  })
  const tasks = missing.flatMap(({ run, parts }) =>
    run.objects.map(
      (object) => () => fetchObject(bucket, object, join(parts, basename(object.name)), options),
    ),
  )
  await allOf(tasks, options.parallel)
  for (const { directory, parts } of missing) {
    syncFolder(parts)
    makeSyncedFolder(dirname(directory))
    await rename(parts, directory)
    syncFolder(dirname(directory))
  }
  await rm(join(folder, '.parts'), { recursive: true, force: true })
}

const remoteRuns = async (bucket: Bucket, options: FetchResultsOptions): Promise<readonly RemoteRun[]> => {
  const found = new Map<string, BucketObject[]>()
  for await (const object of listObjects(bucket, options)) {
    const path = dirname(object.name)
    if (!NEEDED.has(basename(object.name)) || !options.matches(basename(path))) continue
    if (path.split('/').some((part) => part === '..' || part === '.' || part === '')) continue
    found.set(path, [...(found.get(path) ?? []), object])
  }
  const runs = [...found]
    .map(([path, objects]) => ({ path, objects }))
    .filter(({ objects }) =>
      [RUN_FILES.runSpec, RUN_FILES.scenarioState].every((file) =>
        objects.some(({ name }) => basename(name) === file),
      ),
    )
    .sort((a, b) => compareCodePoints(a.path, b.path))
  if (runs.length > 0) return runs
  throw new ProblemError({
    code: 'release/no-runs',
    message: `there is no run that fits in ${bucket.name}/${bucket.prefix}`,
    remedy: 'Name a folder above run directories, e.g. …/benchmark_output/runs/v2.0.0, or another --runs.',
  })
}

/** Runs all tasks; a failure stops none of the others, and all of them are told. */
const allOf = async (tasks: readonly (() => Promise<void>)[], parallel: number): Promise<void> => {
  const errors: unknown[] = []
  await sideBySide(tasks, parallel, async (task) => {
    await task().catch((error: unknown) => errors.push(error))
  })
  const unexpected = errors.find((error) => !(error instanceof ProblemError))
  if (unexpected !== undefined) throw unexpected
  const problems = errors.flatMap((error) => (error instanceof ProblemError ? error.problems : []))
  if (problems.length > 0) throw new ProblemError(problems, { exitCode: 1 })
}
