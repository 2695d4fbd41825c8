import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { RUN_FILES } from '../../../tools/helm/write/write-run.ts'
import type { StatsCase } from './compare-stats.ts'

/** Folders of the reference results that hold runs. */
const FOLDERS = [
  'golden/public-benchmarks',
  'golden/public-synthetic',
  'golden/gated-and-private',
  'golden/medhelm-0.8',
  'golden/medhelm-0.8-more',
  'golden/configurable-benchmark',
  'golden/simple-scenarios',
  'golden/seed-walkthroughs',
  'published',
]

/** Every run below a folder of the reference results, in order of its path; those of the fork by its own dialect. */
export const statsCases = (shared: string): readonly StatsCase[] =>
  FOLDERS.filter((source) => existsSync(join(shared, source))).flatMap((source) =>
    runsBelow(join(shared, source)).map((run) => ({
      directory: join(shared, source, run),
      source: run === basename(run) ? source : join(source, dirname(run)),
      label: basename(run),
      profile:
        source.startsWith('golden/medhelm-0.8') && !run.startsWith('same-on-0.5.16')
          ? 'medhelm-0.8'
          : 'helm-0.5.16',
    })),
  )

const runsBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === RUN_FILES.scenarioState)
    .map(dirname)
    .toSorted()
