import { suggestion } from '../../../cache/did-you-mean.ts'
import { EXIT, ProblemError } from '../../../cache/problem.ts'
import type { FileDigests } from '../../../benchmarks/context/context.ts'
import { metricFile, metricIds } from '../../../benchmarks/metric-code/find-metric.ts'
import { loadMetricCode } from '../../../benchmarks/metric-code/metric-module.ts'
import type { MetricSpec } from '../../../benchmarks/scenario/benchmark.ts'
import { METRIC_IDS, metricFor } from '../../../targets/metrics/catalog.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import type { Measure } from '../../../benchmarks/scenario/measure.ts'
import { alignedTable } from '../../compare/tables.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'

interface Row extends Measure {
  readonly metric: string
  readonly version: string
  readonly source: string
}

/** `medmake metrics`: what each number is, whole or for names that hold one of the words. */
export const metricsAction: Action = async ({ args, flags, cwd, print }) => {
  const specs = [...METRIC_IDS.map((metric) => ({ metric })), ...(await ownMetrics(cwd))]
  const all = (await Promise.all(specs.map(rowsOf))).flat()
  const rows = all.filter(
    ({ name, metric }) =>
      args.length === 0 || args.some((part) => name.includes(part) || metric.includes(part)),
  )
  if (rows.length === 0) throw unknownName(args, all)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ metrics: rows }))
  else print(alignedTable(HEADS, rows.map(cellsOf)))
  return EXIT.done
}

/** Those of the workspace's own code. */
const ownMetrics = async (cwd: string): Promise<readonly Described[]> => {
  const { root } = await findWorkspace(cwd)
  return Promise.all(
    metricIds(root).map(async (metric) => ({
      metric,
      code: await loadMetricCode(metric, metricFile(root, metric) ?? '', { fileDigests: NO_DIGESTS }),
    })),
  )
}

/** For one look: nothing is kept. */
const NO_DIGESTS: FileDigests = { get: () => undefined, put: async () => {} }

type Described = Pick<MetricSpec, 'metric' | 'code'>

const rowsOf = async (spec: Described): Promise<readonly Row[]> => {
  const { measures, version, source } = await metricFor(spec)
  return measures.map((measure) => ({ metric: spec.metric, ...measure, version, source }))
}

const HEADS = ['name', 'unit', 'range', 'better', 'one of each', 'metric', 'version', 'source']

const cellsOf = ({
  name,
  unit,
  least,
  most,
  better,
  of,
  metric,
  version,
  source,
}: Row): readonly string[] => [
  name,
  unit,
  `${least ?? '−∞'} to ${most ?? '∞'}`,
  better,
  of,
  metric,
  version,
  source,
]

const unknownName = (names: readonly string[], rows: readonly Row[]): ProblemError =>
  new ProblemError({
    code: 'targets/unknown-metric-name',
    message: `no metric's name holds ${names.join(' or ')}`,
    remedy: `${suggestion(names[0] ?? '', new Set(rows.map(({ name }) => name)))}\`medmake metrics\` lists all.`,
  })
