import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../cache/files/folders.ts'
import { isThere, readFileSync } from '../../cache/files/read.ts'
import { replaceFile } from '../../cache/files/write.ts'
import { plural } from '../../cache/words/number-text.ts'
import type { RatingEvent } from '../../targets/ratings/event.ts'
import type { LastEvent } from './rating-log.ts'

/*
 * A log that is cut at a line's end, emptied or gone is whole by itself. So this machine remembers, outside of git, where each
 * log ended that it wrote; what another one wrote behind that is fine.
 */
const FOLDER = 'cache/ratings'

/** Worth no wait for the disk: an older end is in the log, too. */
export const keepEnd = (root: string, log: string, { id, events }: LastEvent): void => {
  const file = join(root, FOLDER, log)
  try {
    makeFolder(dirname(file))
    replaceFile(file, `${events} ${id}\n`, { lasting: false })
  } catch {
    // The rating itself is on disk: that no end could be noted, as where it is full, keeps nobody from rating.
  }
}

/** What a log lacks that was kept here, and how to get it back; undefined where it lacks nothing. */
export const lostEnd = (root: string, log: string, events: readonly RatingEvent[]): string | undefined => {
  const file = join(root, FOLDER, log)
  if (!isThere(file)) return undefined
  const [count, id] = readFileSync(file, 'latin1').trim().split(' ')
  if (id === undefined || events.some((event) => event.id === id)) return undefined
  return (
    `ratings/${log} has ${plural(events.length, 'event')}, not the last of the ${count} kept here. ` +
    `Get it back, as by \`git log -- ratings/${log}\` and \`git checkout COMMIT -- ratings/${log}\`; where it is meant, delete ${FOLDER}/${log}.`
  )
}

/** Studies with logs that were written here. */
export const markedStudies = (root: string): readonly string[] => {
  const folder = join(root, FOLDER)
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  // A file browser may leave a file of its own there.
  return entries.flatMap((entry) =>
    entry.isDirectory() && markedRaters(root, entry.name).length > 0 ? [entry.name] : [],
  )
}

/** Raters of a study whose logs were written here. */
export const markedRaters = (root: string, study: string): readonly string[] => {
  const folder = join(root, FOLDER, study)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => (name.endsWith('.jsonl') ? basename(name, '.jsonl') : []))
}
