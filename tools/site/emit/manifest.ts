import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readFileSync } from '../../../cache/files/read.ts'

export const MANIFEST = 'manifest.json'

/** Paths below the site's folder; files are removed by this list, so it may name no other. */
const Path = z.string().regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/)

const Files = z.record(Path, z.number())

const Run = z.object({
  /** Digest of all that the run's page shows. */
  key: z.string(),
  files: Files,
})

const ManifestFile = z.object({
  /** Digest of everything the site was made of; empty while it is being written. */
  inputs: z.string(),
  /** Files that are not of one run, with their sizes in bytes. */
  files: Files,
  /** Runs by their file ids. */
  runs: z.record(z.string(), Run),
})

/** What a site was made of and which files it has. The files hold no time, so neither does this. */
export type Manifest = z.output<typeof ManifestFile>
export type ManifestEntry = z.output<typeof Run>

/** The manifest of the site in a folder; undefined where there is none or one that can't be read. */
export const readManifest = (directory: string): Manifest | undefined => {
  try {
    const parsed = ManifestFile.safeParse(JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    // No site, or a damaged one: it is written anew.
    return undefined
  }
}

/** Whether files are there with their sizes. Synchronous: thousands of these take less time than as many promises. */
export const areThere = (directory: string, files: Readonly<Record<string, number>>): boolean =>
  Object.entries(files).every(
    ([path, size]) => statSync(join(directory, path), { throwIfNoEntry: false })?.size === size,
  )

/** Whether a folder holds the site of these inputs, whole. */
export const isCurrent = (directory: string, inputs: string): boolean => {
  const manifest = readManifest(directory)
  return (
    manifest !== undefined &&
    manifest.inputs === inputs &&
    areThere(directory, manifest.files) &&
    Object.values(manifest.runs).every(({ files }) => areThere(directory, files))
  )
}
