import type { SiteSuite } from '../site.ts'
import { visibleText } from '../visible-text.ts'
import type { ShownTable } from './shown-table.ts'

const HEAD = [
  'suite',
  'model',
  'deployment',
  'benchmark',
  'metric',
  'attribute',
  'group',
  'value',
  'low',
  'high',
  'interval',
  'n',
  'asked',
] as const

/** A row a model, benchmark, attribute and group, all digits; an empty group is what is not stated. */
export const subgroupsTable = ({
  board,
  subgroups = [],
}: Pick<SiteSuite, 'board' | 'subgroups'>): ShownTable => {
  const labels = new Map(board.rows.map(({ model, label }) => [model.deployment, label]))
  const metrics = new Map(board.benchmarks.map(({ name, mainMetric }) => [name, mainMetric.name]))
  return {
    name: `Subgroups of ${board.suite}`,
    head: HEAD,
    rows: subgroups.flatMap(({ benchmark, attribute, groups, rows }) =>
      rows.flatMap(({ deployment, scores }) =>
        scores.flatMap((score, at) =>
          score === null
            ? []
            : [
                [
                  board.suite,
                  visibleText(labels.get(deployment) ?? deployment),
                  deployment,
                  benchmark,
                  metrics.get(benchmark) ?? '',
                  attribute,
                  groups[at] === '' ? null : visibleText(groups[at] ?? ''),
                  score.value,
                  score.interval?.low ?? null,
                  score.interval?.high ?? null,
                  score.method,
                  score.n,
                  score.asked,
                ],
              ],
        ),
      ),
    ),
  }
}
