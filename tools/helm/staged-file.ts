import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A file fully written beside its place, not yet in it. */
export interface StagedFile {
  /** Puts the file in place in one step; readers see the old file or the whole new one. */
  commit(): Promise<void>
  discard(): Promise<void>
}

export type Chunks = Iterable<string> | AsyncIterable<string>

/** Characters gathered before a write: few system calls, little memory. */
const BLOCK = 1 << 16

/** Writes `chunks` to disk under a temporary name in the directory of `path`, which is made if need be. */
export const stageFile = async (path: string, chunks: Chunks): Promise<StagedFile> => {
  await mkdir(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.${basename(path).slice(0, 64)}.${randomUUID()}.tmp`)
  const discard = (): Promise<void> => rm(temporary, { force: true })
  try {
    const file = await open(temporary, 'wx')
    try {
      let block = ''
      for await (const chunk of chunks) {
        block += chunk
        if (block.length < BLOCK) continue
        await file.writeFile(block)
        block = ''
      }
      await file.writeFile(block)
      // A name that survives a power cut must not lead to bytes that did not.
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await discard()
    throw error
  }
  return { commit: () => rename(temporary, path), discard }
}

/** Writes a whole file in one step. */
export const writeFileAtomically = async (path: string, chunks: Chunks): Promise<void> => {
  const staged = await stageFile(path, chunks)
  try {
    await staged.commit()
  } catch (error) {
    await staged.discard()
    throw error
  }
}

/** Writes several files so that none is in place before all are on disk. */
export const writeFilesAtomically = async (files: ReadonlyMap<string, Chunks>): Promise<void> => {
  const staged: StagedFile[] = []
  try {
    for (const [path, chunks] of files) staged.push(await stageFile(path, chunks))
    for (const file of staged) await file.commit()
  } catch (error) {
    await Promise.all(staged.map((file) => file.discard()))
    throw error
  }
}
