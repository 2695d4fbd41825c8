import { parsedJson } from '../../../cache/values/json.ts'
import { basename, dirname, join } from 'node:path'
import { readFile, unlessAbsent } from '../../../cache/files/read.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { newestCallText } from '../about/release-notes.ts'
import { HISTORY_FILE, Snapshots, type EarlierRelease } from './snapshot.ts'

/**
 * The releases of some suites that a site or the bundle of a release holds.
 * @param given as the user named it
 * @throws ProblemError `site/no-history` for a folder without their file
 */
export const readHistory = async (
  folder: string,
  { given, suites }: { readonly given: string; readonly suites: readonly string[] },
): Promise<readonly EarlierRelease[]> => {
  const releases = await readFolder(folder, given)
  if (releases.some(({ snapshot }) => suites.includes(snapshot.suite))) return releases
  throw noHistory(
    given,
    `holds ${releases.map(({ snapshot }) => snapshot.suite).join(', ')}, none of ${suites.join(', ')}`,
  )
}

/** A release as the user named it, with the day of its newest model call. */
export interface DatedRelease {
  readonly given: string
  readonly date: string
}

/** Sites tell no day, releases do. @param releases as they were named, oldest first; undefined where their days agree */
export const misplacedText = (releases: readonly DatedRelease[]): string | undefined => {
  // Without a call they are of no day.
  const dated = releases.filter(({ date }) => newestCallText(date) === date)
  const at = dated.findIndex(({ date }, index) => date < (dated[index - 1]?.date ?? ''))
  const [before, after] = [dated[at - 1], dated[at]]
  return before === undefined || after === undefined
    ? undefined
    : `--history names ${before.given} (${before.date}) before ${after.given} (${after.date}), and is read as oldest first: the page would show gains as losses. Name ${after.given} first, unless its calls are the later ones.`
}

const readFolder = async (folder: string, given: string): Promise<readonly EarlierRelease[]> => {
  const files = [join(folder, HISTORY_FILE), join(folder, 'site', HISTORY_FILE)]
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(unlessAbsent)
    if (text === undefined) continue
    const parsed = Snapshots.safeParse(parsedJson(text))
    if (!parsed.success) throw noHistory(file, 'is no file of a release’s numbers that this version can read')
    return parsed.data.map((snapshot) => ({
      label: snapshot.release === '' ? nameOf(folder) : snapshot.release,
      snapshot,
    }))
  }
  throw noHistory(given, `holds no ${HISTORY_FILE}`)
}

/** `2026-09` of `2026-09/site`. */
const nameOf = (folder: string): string =>
  basename(folder) === 'site' ? basename(dirname(folder)) : basename(folder)

const noHistory = (file: string, reason: string): ProblemError =>
  new ProblemError({
    code: 'site/no-history',
    message: `${file} ${reason}`,
    where: { file },
    remedy:
      'Name folders of sites that `medmake report` wrote, or releases by name, folder or archive; older ones are made again by it.',
  })
