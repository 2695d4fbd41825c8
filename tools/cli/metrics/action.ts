import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { NO_DIGESTS } from '../../../benchmarks/context/context.ts'
import { codeFile, codeIds, idleCode, shadowedMetrics } from '../../../benchmarks/user-code/find-code.ts'
import { loadMetricCode } from '../../../benchmarks/user-code/use-code.ts'
import { BUILT_IN, METRIC_CATALOG, metricFor } from '../../../targets/metrics/catalog.ts'
import type { BuiltInMetric, Metric } from '../../../targets/metrics/metric.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import type { Measure } from '../../../benchmarks/scenario/metric-code.ts'
import { alignedTable, tabulated, type TextColumns } from '../../../cache/words/tables.ts'
import { boolFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Action, Invocation } from '../verb.ts'

interface Row extends Measure {
  readonly metric: string
  readonly version: string
  readonly source: string
}

/** `medmake metrics`: what each number is, whole or for names that hold one of the words. */
export const metricsAction: Action = async (invocation) => {
  const { args, flags, cwd, print, warn } = invocation
  const { root } = await findWorkspace(cwd)
  for (const { message, remedy } of idleCode(root, METRIC_CATALOG)) warn(`${message}. ${remedy}`)
  const all = [...BUILT_IN, ...(await ownMetrics(root, invocation))]
  const rows = all.flatMap((metric) =>
    rowsOf(metric).filter(
      ({ name }) =>
        args.length === 0 ||
        [metric.id, name, ...askedAs(metric, name)].some((known) =>
          args.some((part) => known.includes(part)),
        ),
    ),
  )
  if (rows.length === 0) throw unknownName(args, all.flatMap(rowsOf))
  if (boolFlag(flags, 'json')) print(JSON.stringify({ metrics: rows }))
  else print(alignedTable(...tabulated(COLUMNS, rows)))
  return EXIT.done
}

/** Those of the workspace's own code that declarations can name; others are told with what is wrong. */
const ownMetrics = async (
  root: string,
  { warn, leftOut }: Pick<Invocation, 'warn' | 'leftOut'>,
): Promise<readonly Metric[]> => {
  const shadowed = shadowedMetrics(root, METRIC_CATALOG)
  const all: Metric[] = []
  for (const metric of codeIds(root, 'metric').filter((id) => !shadowed.includes(id)))
    try {
      const file = codeFile(root, 'metric', metric) ?? ''
      all.push(metricFor({ metric, code: await loadMetricCode(metric, file, { fileDigests: NO_DIGESTS }) }))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      leftOut.push(metric)
      warn(formatProblems(error.problems, process.stderr.isTTY))
    }
  return all
}

const rowsOf = ({ id: metric, version, source, measures, own = [] }: Metric): readonly Row[] =>
  [...measures, ...own].map((measure) => ({ metric, ...measure, version, source }))

/** A measure that each run names anew is looked for by the names that declarations ask for it by. */
const askedAs = ({ sets = [] }: Metric & Pick<BuiltInMetric, 'sets'>, measure: string): readonly string[] =>
  measure.startsWith('<') ? sets.flatMap(({ simple = [] }) => simple) : []

const COLUMNS: TextColumns<Row> = [
  ['name', ({ name }) => name],
  ['unit', ({ unit }) => unit],
  ['range', ({ least, most }) => `${least ?? '−∞'} to ${most ?? '∞'}`],
  ['better', ({ better }) => better],
  ['one of each', ({ of }) => of],
  ['metric', ({ metric }) => metric],
  ['version', ({ version }) => version],
  ['source', ({ source }) => source],
]

const unknownName = (names: readonly string[], rows: readonly Row[]): ProblemError =>
  new ProblemError({
    code: 'targets/unknown-metric-name',
    message: `no metric's name holds ${names.join(' or ')}`,
    remedy: `${suggestion(names[0] ?? '', new Set(rows.map(({ name }) => name)))}\`medmake metrics\` lists all.`,
  })
