import { availableParallelism } from 'node:os'
import { defined } from '../../../cache/values/defined.ts'
import { once } from 'node:events'
import { join, basename, dirname } from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import { packageRoot, runsFromSource } from '../../../cache/package-root.ts'
import type { Problem } from '../../../cache/problems/problem.ts'
import type { SchemaIndex } from '../../../targets/tables/schema/schema.ts'
import { DISPLAY_FILES, writeDisplayFiles, type PageTask, PAGE_SOURCES } from './display-files.ts'
import { stampOf, writeChangedFile } from './staged-file.ts'
import type { HelmFolder } from '../read-suite.ts'
import { substitute } from '../../../targets/tables/schema/matcher.ts'
import type { TableRun } from '../../../targets/tables/table.ts'
import { z } from 'zod'
import { readFile } from '../../../cache/files/read.ts'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { digestOf } from '../../../cache/values/digest.ts'

interface PageOptions {
  /** Leaves pages alone that are there, whatever they show, as HELM's flag asks. */
  readonly skipCompleted: boolean
  /** Leaves pages alone that still show what they were made of; keeps a note of that in the suites' folders. */
  readonly remember: boolean
}

/** Writes the runs' pages that are due, on all processors. @returns what kept pages from being written, in the runs' order */
export const writePages = async (
  runs: readonly HelmFolder[],
  index: SchemaIndex,
  { skipCompleted, remember }: PageOptions,
): Promise<readonly Problem[]> => {
  const memo = remember ? await PageMemo.read(runs) : undefined
  const due = runs
    .map((run) => ({ run, task: taskOf(run, index) }))
    .filter(({ run, task }) =>
      skipCompleted ? stampOf(run.path, DISPLAY_FILES) === undefined : memo?.isCurrent(run, task) !== true,
    )
  const problems = await inThreads(due.map(({ task }) => task))
  for (const [at, { run, task }] of due.entries()) if (problems[at]?.length === 0) memo?.add(run, task)
  await memo?.write()
  return problems.flat()
}

const taskOf = (run: HelmFolder, index: SchemaIndex): PageTask => {
  const { method, outputMappingPattern } = run.adapter
  return defined({ path: run.path, shown: [...displayedMetrics(run, index)], method, outputMappingPattern })
}

/** A page takes about as long as a thread to start. */
const PAGES_A_THREAD = 8
/** At once in a thread: while one's files reach the disk, the next is made. */
const PAGES_AT_ONCE = 2

type Written = readonly Problem[]

/** Problems by task. Threads take the tasks as they come; which one writes a page does not show in it. */
const inThreads = async (tasks: readonly PageTask[]): Promise<readonly Written[]> => {
  const count = Math.min(availableParallelism(), Math.floor(tasks.length / PAGES_A_THREAD))
  const written: Written[] = tasks.map(() => [])
  const rest = tasks.entries()
  const work = async (write: (task: PageTask) => Promise<Written>): Promise<void> => {
    for (const [at, task] of rest) written[at] = await write(task)
  }
  // Only bundles hold the thread's program.
  if (count < 2 || runsFromSource) await work(writeDisplayFiles)
  else await Promise.all(Array.from({ length: count }, () => withThread(work)))
  return written
}

const withThread = async (
  work: (write: (task: PageTask) => Promise<Written>) => Promise<void>,
): Promise<void> => {
  const thread = new Worker(join(packageRoot(), 'dist/page-thread.js'))
  const failed = once(thread, 'exit').then(() => {
    throw new Error('the thread that writes pages ended')
  })
  try {
    const lane = (): Promise<void> =>
      work(async (task) => {
        const { port1, port2 } = new MessageChannel()
        const reply = once(port1, 'message')
        thread.postMessage({ task, port: port2 }, [port2])
        const [written] = (await reply) as readonly Written[]
        return written ?? []
      })
    const lanes = Promise.all(Array.from({ length: PAGES_AT_ONCE }, lane))
    // What the thread throws ends it, and is thrown by `once`.
    await Promise.race([lanes, failed])
  } finally {
    await thread.terminate()
  }
}

const ANY = '__all__'

/** Metrics that a run's page shows: those of its groups' columns of no or of any perturbation (HELM.md F5). */
const displayedMetrics = (run: TableRun, index: SchemaIndex): ReadonlySet<string> => {
  const groups = run.groups.flatMap((name) => index.runGroups.get(name) ?? [])
  return new Set(
    groups.flatMap((group) =>
      group.metricGroups
        .flatMap((name) => index.metricGroups.get(name)?.metrics ?? [])
        .map((matcher) => substitute(matcher, group))
        .flatMap(({ name, perturbationName }) => ((perturbationName ?? ANY) === ANY ? [name] : [])),
    ),
  )
}

/** Raised when the same files give another page. */
const VERSION = 4

/** In a suite's folder, beside its runs: whoever copies the folder takes it along, and it tells nothing but digests. */
const MEMO_FILE = '.medmake-pages.json'

/** Run folder → digest of what its page was made of and of the page's own files, by their stamps. */
const MemoFile = z.record(z.string(), z.string())

/** Which pages show what their runs' files still hold. */
export class PageMemo {
  /** By suite folder. */
  readonly #known: ReadonlyMap<string, Map<string, string>>

  private constructor(known: ReadonlyMap<string, Map<string, string>>) {
    this.#known = known
  }

  static async read(runs: readonly HelmFolder[]): Promise<PageMemo> {
    const folders = [...new Set(runs.map(({ path }) => dirname(path)))]
    const entries = folders.map(async (folder) => [folder, await readMemo(join(folder, MEMO_FILE))] as const)
    return new PageMemo(new Map(await Promise.all(entries)))
  }

  isCurrent(run: HelmFolder, task: PageTask): boolean {
    const known = this.#known.get(dirname(run.path))?.get(basename(run.path))
    return known !== undefined && known === stateOf(task)
  }

  /** Notes a page that was just written: its state is read from the disk. */
  add(run: HelmFolder, task: PageTask): void {
    const state = stateOf(task)
    if (state !== undefined) this.#known.get(dirname(run.path))?.set(basename(run.path), state)
  }

  async write(): Promise<void> {
    for (const [folder, known] of this.#known)
      await writeChangedFile(join(folder, MEMO_FILE), [
        `${JSON.stringify(Object.fromEntries([...known].sort(([a], [b]) => compareCodePoints(a, b))), undefined, 1)}\n`,
      ])
  }
}

/** Undefined where a file of the page or of its run is missing. */
const stateOf = ({ path, shown, method, outputMappingPattern }: PageTask): string | undefined => {
  const stamps = stampOf(path, [...PAGE_SOURCES, ...DISPLAY_FILES])
  return (
    stamps && digestOf<'text'>(JSON.stringify([VERSION, shown, method, outputMappingPattern ?? null, stamps]))
  )
}

const readMemo = async (file: string): Promise<Map<string, string>> => {
  try {
    return new Map(Object.entries(MemoFile.parse(JSON.parse(await readFile(file, 'utf8')))))
  } catch {
    // None yet, or a damaged one: every page is written anew.
    return new Map()
  }
}
