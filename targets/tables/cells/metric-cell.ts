import { float } from '../../../benchmarks/python/numbers/number.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { measureNamed } from '../../metrics/catalog.ts'
import { matches } from '../schema/matcher.ts'
import type { TableRun, Cell } from '../table.ts'
import type { MetricMatcher } from '../schema/schema.ts'
import { bareText, meanOf, merge, type Merged, type TrialStat } from './trial-stat.ts'

type Scored = Pick<TableRun, 'name' | 'stats'>

/** The stats of one run that a column shows. Several stats of one name within a run are merged (HELM.md T22). */
const matching = (run: Scored, matcher: MetricMatcher): readonly TrialStat[] => {
  const found = run.stats.filter((stat) => matches(stat, matcher))
  if (found.length > 0) return found
  const { name, standIn } = measureNamed(matcher.name, []) ?? {}
  // The best of several answers is stood in for by nothing.
  return standIn === undefined || name !== matcher.name
    ? []
    : run.stats.filter((stat) => matches(stat, { ...matcher, name: standIn }))
}

/** @throws ProblemError `targets/ambiguous-metric` where a column would mix splits */
const runStat = (run: Scored, matcher: MetricMatcher): Merged | undefined => {
  const found = matching(run, matcher)
  if (new Set(found.map(({ name }) => name.split)).size > 1)
    throw new ProblemError({
      code: 'targets/ambiguous-metric',
      message: `Run ${run.name} has ${matcher.name} for several splits and the schema asks for any.`,
      where: { field: matcher.name },
      remedy: 'Name one split in the metric group: test or valid.',
    })
  return found.length === 0 ? undefined : merge(found)
}

/** What a cell tells of its runs besides their mean. */
interface CellDetail {
  /** The names of those that have the metric, as a field of their own. */
  readonly runSpecNames: boolean
  /** These names in the description, as `--debug` has them. */
  readonly debug: boolean
}

/** One cell: the mean over the trials of all given runs (HELM.md T23). */
export const metricCell = (runs: readonly Scored[], matcher: MetricMatcher, detail: CellDetail): Cell => {
  if (runs.length === 0) return { description: 'No matching runs', markdown: false }
  const found = runs.flatMap((run) => {
    const stat = runStat(run, matcher)
    return stat === undefined ? [] : [{ name: run.name, stat }]
  })
  if (found.length === 0)
    return { description: `${runs.length} matching runs, but no matching metrics`, markdown: false }
  const merged = merge(found.map(({ stat }) => stat))
  const mean = meanOf(merged)
  const names = found.map(({ name }) => name)
  const list = detail.debug ? ['', 'Run specs:', ...names.map((name) => `-- ${name}`)].join('\n') : ''
  return {
    ...(mean === undefined ? {} : { value: float(mean) }),
    description: bareText(merged) + list,
    style: new Map(),
    markdown: false,
    ...(detail.runSpecNames ? { runSpecNames: [...new Set(names)] } : {}),
  }
}
