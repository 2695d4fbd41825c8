import { dirname, join } from 'node:path'
import { makeFolder } from '../../../cache/files/folders.ts'
import { replaceFileSoon } from '../../../cache/files/write.ts'

/** Files that are written at a time: enough that the disk never waits for the next text. */
const AT_ONCE = 8
/** A page is made again at no call: not worth a wait for the disk. */
export const REMADE = { mode: 0o666, lasting: false }

/** Writes files below a folder, several at a time; each is put in place in one step. */
export class FileWriter {
  private readonly directory: string
  private readonly folders = new Set<string>()
  private readonly underWay = new Set<Promise<void>>()
  private failure: { readonly error: unknown } | undefined

  constructor(directory: string) {
    this.directory = directory
  }

  /** Waits until there is room, not until the file is there. @returns its size in bytes */
  async write(path: string, text: string): Promise<number> {
    while (this.underWay.size >= AT_ONCE) await Promise.race(this.underWay)
    this.fail()
    const bytes = Buffer.from(text, 'utf8')
    const writing = this.put(join(this.directory, path), bytes)
      .catch((error: unknown) => {
        this.failure ??= { error }
      })
      .finally(() => this.underWay.delete(writing))
    this.underWay.add(writing)
    return bytes.length
  }

  /** Waits for all files. @throws what kept any of them from being written */
  async done(): Promise<void> {
    await Promise.all(this.underWay)
    this.fail()
  }

  private async put(file: string, bytes: Buffer): Promise<void> {
    const folder = dirname(file)
    if (!this.folders.has(folder)) makeFolder(folder)
    this.folders.add(folder)
    await replaceFileSoon(file, bytes, REMADE)
  }

  private fail(): void {
    if (this.failure !== undefined) throw this.failure.error
  }
}
