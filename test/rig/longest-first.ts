import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take over five seconds of a processor, the longest first. By their size most would come last. */
const LONG = [
  'tools/site/browser',
  'tools/site/odd-shapes',
  'tools/cli/canary',
  'tools/rating-desk/desk',
  'tools/cli/whole-suites',
  'tools/nx/nx',
  'tools/nx/kept-cache',
  'tools/release/release',
  'benchmarks/catalog/public',
  'tools/cli/gated-runs',
  'models/local/smollm2',
  'tools/cli/own-code',
  'tools/site/pages/leaderboard/browser',
  'tools/site/labels',
  'tools/site/pages/leaderboard/many-models',
  'tools/site/every-cell',
  'tools/cli/endless-code',
  'tools/cli/shard',
  'tools/site/downloads/saved-files',
  'tools/site/pages/run/browser',
  'benchmarks/catalog/gated-and-private',
  'tools/cli/ci',
  'edits/edits',
  'tools/release/board',
  'tools/rating-desk/access',
  'tools/cli/data-agreement',
  'faults/faults',
  'tools/cli/compare',
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
