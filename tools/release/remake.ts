import { rm, copyFile } from 'node:fs/promises'
import { temporaryFolder } from '../../cache/files/write.ts'
import type { Problem } from '../../cache/problems/problem.ts'
import { readAssets } from '../site/emit/assets.ts'
import { assemble, SCHEMA } from './assemble.ts'
import { README_FILE } from './bundle/bundle-readme.ts'
import { compareFiles } from './bundle/compare-files.ts'
import { cardProblems, namesProblems } from './bundle/compare-names.ts'
import type { ReleaseFile } from './bundle/list-files.ts'
import { givenOf, type ReleaseDocument } from './release-file.ts'
import { runPath, type RunCard, OUTPUT } from './run-card.ts'
import { toolVersion } from './tool-version.ts'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../cache/files/folders.ts'
import { RUN_FILES } from '../helm/write/write-run.ts'
import { RANKING_FILE } from './ranking.ts'
import { RATINGS_FILE } from './write-ratings.ts'

/** How what was made again compares with what was released. */
export interface Remade {
  /** Files that were made, those of the runs among them. */
  readonly files: number
  /** Files that were computed anew from the runs and compared. */
  readonly recomputed: number
  /** Why the site was not compared, where it was not. */
  readonly skipped?: string
  /** What follows from values that the release does not hold, and can't be computed anew. */
  readonly untold: readonly string[]
  readonly problems: readonly Problem[]
}

/** Runs that are written anew; all others are taken as they were released. */
interface MadeAnew {
  readonly anew: readonly RunCard[]
  /** Writes one below a folder, where the release has it. @returns what its record tells otherwise */
  readonly write: (card: RunCard, folder: string) => Promise<readonly Problem[]>
}

const ALL_AS_RELEASED: MadeAnew = { anew: [], write: () => Promise.resolve([]) }

/**
 * Makes a release's tables, site and release.json again from its runs, in a folder that goes away, and compares them.
 * @throws ProblemError for runs and records that can't be read
 */
export const remakeRelease = async (
  bundle: string,
  release: ReleaseDocument,
  cards: readonly RunCard[],
  { anew, write }: MadeAnew = ALL_AS_RELEASED,
): Promise<Remade> => {
  const temporary = temporaryFolder('remake')
  try {
    const folders = anew.map(({ suite, name }) => `${runPath(suite, name)}/`)
    const isCopied = (path: string): boolean =>
      isPrimary(path) && !folders.some((folder) => path.startsWith(folder))
    await copyFiles(
      bundle,
      temporary,
      release.files.filter(({ path }) => isCopied(path)),
    )
    const records: Problem[] = []
    for (const card of anew) records.push(...(await write(card, temporary)))
    const assets = await readAssets()
    const again = await assemble(temporary, givenOf(release), { assets, withheld: [] })
    const names = [...namesProblems(release, again.release), ...(await cardProblems(bundle, cards))]
    const { problems, ...compared } = await compareComputed(release, again.release.files)
    return {
      ...compared,
      files: again.release.files.length,
      untold: again.untold,
      problems: [...names, ...ofVersion([...records, ...problems], release.version, await toolVersion())],
    }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

const isPage = (path: string): boolean => path.startsWith('site/') || path === README_FILE

/** What another version computes otherwise accuses nobody: it may have had a fault, or another method. */
export const ofVersion = (problems: readonly Problem[], made: string, version: string): readonly Problem[] =>
  made === version
    ? problems
    : problems.map((problem) => ({
        ...problem,
        remedy: `Check it by medmake ${made}, which made the release: this is ${version}, and may compute it otherwise.`,
      }))

/** Pages and words differ from version to version, and between builds of one; numbers seldom do. */
export const compareComputed = async (
  release: ReleaseDocument,
  again: readonly ReleaseFile[],
): Promise<Pick<Remade, 'recomputed' | 'problems' | 'skipped'>> => {
  const version = await toolVersion()
  const isCompared = ({ path }: ReleaseFile): boolean => version === release.version || !isPage(path)
  const compared = again.filter(isCompared)
  return {
    recomputed: compared.filter(({ path }) => !isPrimary(path)).length,
    ...(version === release.version
      ? {}
      : { skipped: `the site was made by medmake ${release.version}, this is ${version}` }),
    problems: otherResults(
      compareFiles(release.files.filter(isCompared), compared, {
        code: 'release/other-result',
        lacks: 'does not follow from the runs',
        differs: 'differs from what the runs give',
        extra: 'follows from the runs and is not in the release',
        remedy: 'Do not trust the release: its numbers are not those of its runs.',
      }),
      version,
    ),
  }
}

/** Where HELM's tables are as they should be and what is our own is not, that may be of another build. */
const otherResults = (problems: readonly Problem[], version: string): readonly Problem[] => {
  const files = problems.map(({ where }) => where?.file ?? '')
  if (!files.every((file) => isPage(file) || file === RANKING_FILE)) return problems
  const own = files.includes(RANKING_FILE) ? `${RANKING_FILE} and its pages` : 'pages'
  return problems.map((problem) => ({
    ...problem,
    remedy: `Read its tables, which follow from its runs, and not its ${own}: these were changed, or made by other sources of medmake ${version}.`,
  }))
}

const RUN_FILE_NAMES: ReadonlySet<string> = new Set(Object.values(RUN_FILES))

/**
 * Whether a file of a bundle is one that the others are computed from. Of the ranking only what rests on withheld values
 * is: the rest is computed anew.
 */
export const isPrimary = (path: string): boolean => {
  if ([SCHEMA, RANKING_FILE, RATINGS_FILE].includes(path)) return true
  if (path.startsWith('records/') || path.startsWith('replies/')) return true
  return path.startsWith(`${OUTPUT}/runs/`) && RUN_FILE_NAMES.has(path.split('/').at(-1) ?? '')
}

const copyFiles = async (
  from: string,
  to: string,
  files: readonly Pick<ReleaseFile, 'path'>[],
): Promise<void> => {
  for (const { path } of files) {
    makeFolder(dirname(join(to, path)))
    await copyFile(join(from, path), join(to, path))
  }
}
