import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take over seven seconds where two processors have three workers, the longest first. By their size most would come last. */
const LONG = [
  'tools/site/browser',
  'tools/site/odd-shapes',
  'tools/cli/whole-suites',
  'tools/nx/nx',
  'tools/rating-desk/desk',
  'tools/cli/canary',
  'tools/nx/kept-cache',
  'tools/cli/own-code',
  'tools/site/pages/leaderboard/browser',
  'tools/site/labels',
  'tools/cli/shard',
  'tools/cli/endless-code',
  'tools/cli/gated-runs',
  'models/local/smollm2',
  'faults/faults',
  'cache/tier/s3-tier',
  'tools/cli/golden-runs',
  'tools/cli/lost-values',
  'tools/site/pages/leaderboard/many-models',
  'tools/site/every-cell',
  'tools/nx/plugin',
  'edits/edits',
  'tools/nx/failures',
  'tools/site/downloads/saved-files',
  'tools/release/board',
  'tools/release/release',
  'tools/cli/ci',
  'tools/cli/rate',
  'tools/cli/hostile-replies',
  'tools/cli/limits',
  'tools/cli/scenario-code',
  'tools/cli/local-models',
  'tools/cli/files-in-the-way',
  'cache/paid-once',
  'targets/metrics/bert-score/golden-values',
  'cache/durability',
  'tools/cli/full-disk',
  'benchmarks/sources/parquet-damage',
  'targets/sql/box',
  'benchmarks/catalog/public',
  'tools/site/pages/run/browser',
  'tools/rating-desk/access',
  'tools/cli/seal-tier',
  'tools/cli/profiles',
  'targets/metrics/golden-runs',
  'tools/cli/failing-tier',
  'tools/release/bundle/archive',
  'cache/damage',
].map((name) => `test/${name}.test.ts`)

/** A long file that begins last would leave all workers but one without work. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG.indexOf(relative(project.config.root, moduleId))
      return at === -1 ? LONG.length : at
    }
    const others = await super.sort(files)
    return others.toSorted((one, other) => place(one) - place(other))
  }
}
