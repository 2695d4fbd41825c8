import { join } from 'node:path'
import { z } from 'zod'
import { readFile } from '../../cache/files/read.ts'
import { replaceFileSoon } from '../../cache/files/write.ts'
import { PROFILES } from '../../targets/profile.ts'

/**
 * Beside HELM's five files of a run of ours: they don't tell how replies were read, and read otherwise a default for what
 * could not be read would count as a score. Whoever copies the folder takes it along.
 */
export const READING_FILE = '.medmake-reading.json'

const Reading = z.object({
  profile: z.enum(PROFILES),
  /** Errata that it corrects. */
  corrected: z.array(z.string()),
})

export type RunReading = z.output<typeof Reading>

/** @param mode that of the folder's other files */
export const writeReading = (directory: string, reading: RunReading, mode: number): Promise<void> =>
  replaceFileSoon(join(directory, READING_FILE), `${JSON.stringify(reading)}\n`, { mode })

/** Undefined of runs that HELM wrote, and where it is damaged. */
export const readReading = async (directory: string): Promise<RunReading | undefined> => {
  try {
    return Reading.parse(JSON.parse(await readFile(join(directory, READING_FILE), 'utf8')))
  } catch {
    return undefined
  }
}

export const readingText = ({ profile, corrected }: RunReading): string => {
  const errata = corrected.length === 0 ? 'reproduces all errata' : `corrects ${corrected.join(', ')}`
  return `is read by the profile ${profile} and ${errata}`
}
