import { fileId } from './emit/file-id.ts'

/** Addresses within the site, relative to its root. */
export const runPath = (suite: string, run: string): string => `runs/${fileId(suite, run)}.html`

/** Folder of a run's chunks. */
export const runFolder = (suite: string, run: string): string => `runs/${fileId(suite, run)}`

export const benchmarkPath = (suite: string, benchmark: string): string =>
  `benchmarks/${fileId(suite, benchmark)}.html`

/** The file of all scores by attribute. */
export const subgroupsPath = (suite: string): string => `subgroups/${fileId(suite)}.csv`

/** A model's page; a model may have several deployments. */
export const modelPath = (suite: string, deployment: string): string =>
  `model/${fileId(suite, deployment)}.html`

/** Pages that each suite has one of. */
export type SuitePage = keyof typeof FOLDERS

/** Folders of the other suites' pages. */
const FOLDERS = {
  index: 'boards',
  figures: 'figures',
  judges: 'judges',
  models: 'models',
  taxonomy: 'taxonomies',
  compare: 'comparisons',
  release: 'releases',
  releases: 'histories',
} as const

/** A suite's page: the first suite's stands at the site's root, where people arrive. */
export const suitePath = (
  page: SuitePage,
  suites: readonly { readonly board: { readonly suite: string } }[],
  suite: string,
): string => (suites[0]?.board.suite === suite ? `${page}.html` : `${FOLDERS[page]}/${fileId(suite)}.html`)

/** The prefix that leads from a page to the site's root. */
export const rootOf = (path: string): '' | '../' => (path.includes('/') ? '../' : '')
