import { Float } from '../python/numbers/number.ts'
import { isDict, isList } from '../python/kinds.ts'
import type { PyValue } from '../python/value.ts'
import type { MetricSpec, ObjectSpec } from '../scenario/benchmark.ts'
import type { Measure, MetricCode } from '../scenario/metric-code.ts'

/** Module of a workspace's metrics in run_spec.json. */
const WORKSPACE_METRICS = 'workspace.metrics.'

/**
 * A workspace's metric as a run names it. Its measures stand among HELM's arguments, so that whoever reads the run's
 * files knows what its numbers are.
 */
export const metricCodeSpec = (code: MetricCode, args: ReadonlyMap<string, PyValue>): MetricSpec => ({
  metric: code.id,
  code,
  helm: {
    className: `${WORKSPACE_METRICS}${code.id}`,
    args: new Map<string, PyValue>([
      ['args', args],
      ['measures', code.measures.map(measureForm)],
    ]),
  },
})

const measureForm = ({ name, unit, least, most, better, displayName, description }: Measure): PyValue =>
  new Map<string, PyValue>([
    ['name', name],
    ['unit', unit],
    ['least', least],
    ['most', most],
    ['better', better],
    ['display_name', displayName],
    ['description', description],
  ])

/** The measures of a run's metric object as its run_spec.json tells them; empty for built-in metrics. */
export const toldMeasures = ({ className, args }: ObjectSpec): readonly Measure[] => {
  const told = args.get('measures')
  if (!className.startsWith(WORKSPACE_METRICS) || !isList(told)) return []
  return told.flatMap((each) => (isDict(each) ? [measureOf(each)] : []))
}

/** The measure by which a workspace's metric leads, which has the name of its file. */
export const leadingMeasure = (spec: ObjectSpec): string | undefined =>
  toldMeasures(spec).find(({ name }) => spec.className === WORKSPACE_METRICS + name)?.name

const measureOf = (form: ReadonlyMap<string, PyValue>): Measure => {
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const end = (name: string): number | null => {
    const value = form.get(name)
    return value instanceof Float ? value.value : typeof value === 'number' ? value : null
  }
  const better = text('better')
  return {
    name: text('name'),
    unit: text('unit'),
    least: end('least'),
    most: end('most'),
    better: better === 'higher' || better === 'lower' ? better : 'neither',
    of: 'instance',
    displayName: text('display_name') || text('name'),
    description: text('description'),
    group: 'accuracy',
  }
}
