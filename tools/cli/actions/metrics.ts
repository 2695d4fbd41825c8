import { suggestion } from '../../../cache/did-you-mean.ts'
import { EXIT, ProblemError } from '../../../cache/problem.ts'
import { METRIC_IDS, metricOf } from '../../../targets/metrics/catalog.ts'
import type { Measure } from '../../../targets/metrics/measure.ts'
import { alignedTable } from '../../compare/tables.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'

interface Row extends Measure {
  readonly metric: string
  readonly version: string
  readonly source: string
}

/** `medmake metrics`: what each number is, whole or for names that hold one of the words. */
export const metricsAction: Action = async ({ args, flags, print }) => {
  const all = (await Promise.all(METRIC_IDS.map(rowsOf))).flat()
  const rows = all.filter(
    ({ name, metric }) =>
      args.length === 0 || args.some((part) => name.includes(part) || metric.includes(part)),
  )
  if (rows.length === 0) throw unknownName(args, all)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ metrics: rows }))
  else print(alignedTable(HEADS, rows.map(cellsOf)))
  return EXIT.done
}

const rowsOf = async (id: string): Promise<readonly Row[]> => {
  const { measures, version, source } = await metricOf(id)
  return measures.map((measure) => ({ metric: id, ...measure, version, source }))
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
