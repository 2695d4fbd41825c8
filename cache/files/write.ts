import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './folders.ts'
import { formatIdentity, identifyProcess, parseIdentity, standingOf } from '../processes/process-identity.ts'

interface WholeFileOptions {
  /** As far as the umask lets it; for its owner only where none is given. */
  readonly mode?: number
  /** False for what is worth no wait for the disk: after a power cut it may be empty, or gone. */
  readonly lasting?: boolean
}

const writing = ({ mode = 0o600, lasting = true }: WholeFileOptions): { mode: number; flush: boolean } => ({
  mode,
  flush: lasting,
})

/** Brings a file's name to disk, too, once it is in place. */
const settle = (file: string, { lasting = true }: WholeFileOptions): void => {
  if (lasting) syncFolder(dirname(file))
}

/** With the path, which the system leaves out where a file is open. */
export const named = (error: unknown, path: string): unknown =>
  error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error

/** Puts a file in place whole unless there is one: of several processes the first counts. */
export const writeOnce = (file: string, text: string, options: WholeFileOptions = {}): void => {
  const temporary = stagedName(file)
  try {
    writeFileSync(temporary, text, writing(options))
    linkSync(temporary, file)
    settle(file, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw named(error, temporary)
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
    settle(file, options)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw named(error, temporary)
  }
}

/**
 * The same of a user's own file: with the rights that it has, and where a link leads to. Pipes and devices are written to.
 * @param mode of a new one, as far as the umask lets it
 */
export const rewriteFile = (file: string, content: string | Uint8Array, mode = 0o666): void => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isFile() === false) return writeFileSync(file, content)
  if (found === undefined) return replaceFile(file, content, { mode })
  const real = realpathSync(file)
  replaceFile(real, content, { mode: found.mode })
  // The umask may have taken rights that group or others had.
  if (statSync(real).mode !== found.mode) chmodSync(real, found.mode)
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
    settle(file, options)
  } catch (error) {
    await rm(temporary, { force: true })
    throw named(error, temporary)
  }
}

const SELF = formatIdentity(identifyProcess())
const NAME = /^\..+?\.(?:([^.]+)\.)?[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/
/** A temporary file whose writer can't be asked for is taken for left behind after this, milliseconds. */
const LEFT_BEHIND = 86_400_000

const swept = new Set<string>()

/** Where this process may write what is to lie at `path`. With the first of a folder goes what killed writers left there. */
export const stagedName = (path: string): string => {
  const folder = dirname(path)
  if (!swept.has(folder)) {
    swept.add(folder)
    try {
      sweepStaged(folder)
    } catch {
      // Who can't write there either is told so by what is written.
    }
  }
  return join(folder, `.${basename(path).slice(0, 64)}.${SELF}.${randomUUID()}.tmp`)
}

/** Names of what writers that were killed left in a directory; none where there is no directory. */
export const leftStaged = (directory: string, silence = LEFT_BEHIND): readonly string[] =>
  existsSync(directory)
    ? readdirSync(directory).filter((name) => {
        const match = NAME.exec(name)
        return match !== null && isLeftBehind(join(directory, name), match[1], silence)
      })
    : []

/**
 * Removes them.
 * @param silence milliseconds without a write after which a writer that can't be asked for counts as killed
 */
export const sweepStaged = (directory: string, silence?: number): void => {
  for (const name of leftStaged(directory, silence)) {
    putBack(directory, join(directory, name))
    rmSync(join(directory, name), { recursive: true, force: true })
  }
}

/** What a staged folder holds by this name was moved out of its way, and goes once it is in place. */
export const REPLACED = 'old'

/** Puts back what a writer had moved away that ended before its own was in place. */
export const putBack = (directory: string, staged: string): void => {
  const replaced = join(staged, REPLACED)
  for (const name of existsSync(replaced) ? readdirSync(replaced) : [])
    if (!existsSync(join(directory, name))) renameSync(join(replaced, name), join(directory, name))
}

/**
 * Whether who wrote a file has ended: for certain, or, where that can't be seen from here (another machine, an earlier
 * boot), as nothing was written to it for `silence` milliseconds.
 * @param writer a process's identity; undefined where the file doesn't tell
 */
export const isLeftBehind = (file: string, writer: string | undefined, silence: number): boolean => {
  const identity = writer === undefined ? undefined : parseIdentity(writer)
  if (identity !== undefined) {
    const standing = standingOf(identity, identifyProcess())
    if (standing !== 'unknown') return standing === 'gone'
  }
  return timeOn(dirname(file)) - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= silence
}

/** Epoch milliseconds by the clock that dates a folder's files: a server's, from which this machine's may be off by days. */
const timeOn = (folder: string): number => {
  const probe = join(folder, `.now.${SELF}.${randomUUID()}.tmp`)
  mkdirSync(probe)
  try {
    return statSync(probe).mtimeMs
  } finally {
    rmdirSync(probe)
  }
}

const TEMPORARY = /^medmake-[a-z]+-([^-]+)-[^-]{6}$/
/** The same for a folder, which does not tell when its files were written. */
const FOLDER_LEFT = 7 * LEFT_BEHIND

const temporaries = new Set<string>()

/**
 * A folder for what ends with this process. Those of processes that were killed go with the next one's: a user's own alone,
 * as others may write to the place that holds them.
 */
export const temporaryFolder = (kind: string): string => {
  const parent = tmpdir()
  const folder = mkdtempSync(join(parent, `medmake-${kind}-${SELF}-`))
  if (temporaries.size === 0)
    process.once('exit', () => {
      // By Ctrl-C, say, in the midst of what would remove it. What can't be removed goes with the next one's.
      for (const each of temporaries)
        try {
          rmSync(each, { recursive: true, force: true })
        } catch {}
    })
  temporaries.add(folder)
  try {
    for (const name of readdirSync(parent)) {
      const path = join(parent, name)
      const owner = TEMPORARY.exec(name)?.[1]
      if (owner === undefined || lstatSync(path).uid !== process.getuid?.()) continue
      if (isLeftBehind(path, owner, FOLDER_LEFT)) rmSync(path, { recursive: true, force: true })
    }
  } catch {
    // Its room is missed when it is needed.
  }
  return folder
}
