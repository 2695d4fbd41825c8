import { join, relative } from 'node:path'
import { isThere } from '../../../cache/files/read.ts'
import { groupBy } from '../../../cache/lists.ts'
import { listText, plural } from '../../../cache/words/number-text.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { directoriesIn } from '../../helm/read-suite.ts'
import { summarize } from '../../helm/summarize.ts'
import type { SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { visibleText } from '../../site/visible-text.ts'
import { localDate } from '../common/command-of.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Invocation } from '../verb.ts'

/**
 * HELM's own tables beside the runs, of those that the board shows: what else lies there may be of entries that were taken
 * out, or not finished since an edit, and its numbers of other questions.
 */
export const writeTables = async (
  suite: string,
  runs: readonly Built[],
  output: string,
  { session, invocation: { cwd, warn } }: { readonly session: Session; readonly invocation: Invocation },
): Promise<void> => {
  const benchmarks = new Map(runs.map(({ target: { spec } }) => [spec.name, spec.benchmark]))
  const { problems } = await summarize({
    outputPath: relative(cwd, output) || '.',
    suite,
    only: new Set(benchmarks.keys()),
    remember: true,
    schemaValidation: 'warn',
    modelRegistry: session.registry,
    scenarioOf: async ({ name }) => {
      const benchmark = benchmarks.get(name)
      if (benchmark === undefined) return undefined
      const { mainMetric, displayName, description } = benchmark
      return { mainMetric, displayName, description }
    },
    today: localDate(new Date()),
  })
  if (problems.length > 0) warn(formatProblems(problems, process.stderr.isTTY))
}

const NAMED = 3

/** A line for each suite beside whose runs others lie, which nobody asks for: HELM's files stay where they are. */
export const otherRuns = async (
  targets: readonly SuiteTarget[],
  output: string,
  cwd: string,
): Promise<readonly string[]> => {
  const lines: string[] = []
  for (const [suite, own] of groupBy(targets, (each) => each.suite)) {
    const asked = new Set(own.map(({ target }) => target.spec.name))
    const folder = join(output, 'runs', suite)
    const names = isThere(folder) ? await directoriesIn(folder) : []
    const others = names.filter((name) => !asked.has(name))
    if (others.length > 0)
      lines.push(
        `Not in HELM's tables: ${plural(others.length, 'run')} in ${relative(cwd, folder)} that ${others.length === 1 ? 'is' : 'are'} not asked for here (${listText(others.map(visibleText), NAMED)}).`,
      )
  }
  return lines
}
