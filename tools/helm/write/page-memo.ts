import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { readFile } from '../../../cache/files/read.ts'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { DISPLAY_FILES, PAGE_SOURCES, type PageTask } from './display-files.ts'
import { stampOf, writeChangedFile } from './staged-file.ts'
import type { HelmFolder } from '../read-suite.ts'

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

  /** Notes a page that was just written. */
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
