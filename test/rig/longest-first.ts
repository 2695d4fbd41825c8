import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that are at work for over twenty seconds, the longest first. By their size most would come last. */
const LONG = [
  'tools/site/browser',
  'tools/nx/nx',
  'tools/site/labels',
  'tools/rating-desk/desk',
  'tools/cli/whole-suites',
  'tools/nx/kept-cache',
  'tools/site/pages/leaderboard/browser',
  'tools/site/every-cell',
  'tools/site/downloads/saved-files',
  'tools/cli/canary',
  'tools/site/pages/leaderboard/many-models',
  'tools/cli/own-code',
  'tools/release/release',
  'tools/cli/shard',
  'tools/site/pages/run/browser',
  'tools/rating-desk/access',
  'tools/release/board',
  'tools/cli/gated-runs',
  'benchmarks/catalog/public',
  'tools/cli/endless-code',
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
