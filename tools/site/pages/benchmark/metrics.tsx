import type { JSX } from 'preact'
import type { ShownMeasure } from '../../about/benchmark-about.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactMeasured } from '../../components/exact.tsx'
import { allOf } from '../../../../cache/words/number-text.ts'
import { inWords } from '../../content/metric-label.ts'
import { visibleText } from '../../visible-text.ts'
import type { Result } from './results.tsx'

interface AllMetricsProps {
  readonly results: readonly Result[]
  readonly measures: readonly ShownMeasure[]
}

/** Every other number of the main metric's split: what it is, and what each model has. */
export const AllMetrics = ({ results, measures }: AllMetricsProps): JSX.Element | null => {
  const names = [...new Set(results.flatMap(({ cell }) => cell.metrics.map(({ name }) => name)))]
  return names.length === 0 ? null : (
    <details id="metrics">
      <summary>{allOf(names.length, 'metric')}</summary>
      <DataTable
        label="All metrics"
        head={[
          'Metric',
          ...(measures.length === 0 ? [] : ['Unit', 'Better', 'Defined by']),
          ...numeric(...results.map(({ row }) => visibleText(row.label))),
        ]}
        rows={names.map((name) => [
          nameOf(name, measures),
          ...(measures.length === 0 ? [] : definitionOf(measures.find((each) => each.name === name))),
          ...results.map(({ cell }) => {
            const found = cell.metrics.find((metric) => metric.name === name)
            return found === undefined
              ? '–'
              : exactMeasured(found.value, measureOf(name, measures)?.unit === 'count')
          }),
        ])}
      />
    </details>
  )
}

const measureOf = (name: string, measures: readonly ShownMeasure[]): ShownMeasure | undefined =>
  measures.find((each) => each.name === name)

const nameOf = (name: string, measures: readonly ShownMeasure[]): string =>
  visibleText(measureOf(name, measures)?.displayName ?? inWords(name))

const definitionOf = (measure: ShownMeasure | undefined): readonly string[] => {
  if (measure === undefined) return ['–', '–', '–']
  const { unit, least, most, better, source, version } = measure
  const range = `${least === null ? '−∞' : least} to ${most === null ? '∞' : most}`
  return [`${unit}, ${range}`, better === 'neither' ? '–' : better, `${source}, version ${version}`]
}
