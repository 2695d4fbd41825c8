import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { stagedName } from './staged-name.ts'

interface WholeFileOptions {
  /** As far as the umask lets it; for its owner only where none is given. */
  readonly mode?: number
  /** False for what is worth no wait for the disk: after a power cut it may be empty. */
  readonly lasting?: boolean
}

const writing = ({ mode = 0o600, lasting = true }: WholeFileOptions): { mode: number; flush: boolean } => ({
  mode,
  flush: lasting,
})

/** Puts a file in place whole unless there is one: of several processes the first counts. */
export const writeOnce = (file: string, text: string, options: WholeFileOptions = {}): void => {
  const temporary = stagedName(file)
  try {
    writeFileSync(temporary, text, writing(options))
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Puts a file in place whole, whatever was there: whoever reads meanwhile sees the old one or the new one. */
export const replaceFile = (
  file: string,
  content: string | Uint8Array,
  options: WholeFileOptions = {},
): void => {
  const temporary = stagedName(file)
  try {
    writeFileSync(temporary, content, writing(options))
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** The same where other files are written meanwhile. */
export const replaceFileSoon = async (
  file: string,
  content: string | Uint8Array,
  options: WholeFileOptions = {},
): Promise<void> => {
  const temporary = stagedName(file)
  try {
    await writeFile(temporary, content, writing(options))
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
