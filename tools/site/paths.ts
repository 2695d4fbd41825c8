import { fileId } from './file-id.ts'

/** Addresses within the site, relative to its root. */
export const runPath = (suite: string, run: string): string => `runs/${fileId(suite, run)}.html`

/** Folder of a run's chunks. */
export const runFolder = (suite: string, run: string): string => `runs/${fileId(suite, run)}`

export const benchmarkPath = (suite: string, benchmark: string): string =>
  `benchmarks/${fileId(suite, benchmark)}.html`
