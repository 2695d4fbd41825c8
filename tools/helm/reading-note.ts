import { join } from 'node:path'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { isThere, readFile } from '../../cache/files/read.ts'
import { replaceFileSoon } from '../../cache/files/write.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { parsedJson } from '../../cache/values/json.ts'
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
  /** The run was tried since, and did not come to an end. */
  stale: z.literal(true).optional(),
})

export type HowRead = z.output<typeof Reading>

/** @param mode that of the folder's other files */
export const writeReading = (directory: string, reading: HowRead, mode: number): Promise<void> =>
  replaceFileSoon(join(directory, READING_FILE), `${JSON.stringify(reading)}\n`, { mode })

/** Notes that a run's files are of an earlier state, until they are written anew; false where no files of ours are. */
export const noteStale = async (directory: string): Promise<boolean> => {
  const reading = await readReading(directory)
  if (reading === undefined) return false
  const { mode } = await stat(join(directory, READING_FILE))
  await writeReading(directory, { ...reading, stale: true }, mode & 0o777)
  return true
}

/** Undefined of runs that HELM wrote. @throws ProblemError `tools/reading-note` where it is damaged: scores hang on it */
export const readReading = async (directory: string): Promise<HowRead | undefined> => {
  const file = join(directory, READING_FILE)
  if (!isThere(file)) return undefined
  const reading = Reading.safeParse(parsedJson(await readFile(file, 'utf8'))).data
  if (reading !== undefined) return reading
  throw new ProblemError({
    code: 'tools/reading-note',
    message: 'It does not say how the run beside it was read, as a file of its name does.',
    where: { file },
    remedy: 'Build the run again, or take its folder from where it was copied from.',
  })
}

export const readingText = ({ profile, corrected }: HowRead): string => {
  const errata = corrected.length === 0 ? 'reproduces all errata' : `corrects ${corrected.join(', ')}`
  return `is read by the profile ${profile} and ${errata}`
}
