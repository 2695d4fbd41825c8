import type { JSX } from 'preact'
import { summarizePair } from '../../../../targets/compare/summarize-pair.ts'
import type { PairTest } from '../../../../targets/statistics/paired/pair-difference.ts'
import { DataTable } from '../../components/data-table.tsx'
import { formatCount, formatDifference, formatP, formatValue } from '../../../compare/number-text.ts'
import type { CompareTask } from './compare-data.ts'
import { sidesOf, type PairedRow } from './pair-rows.ts'

interface SummaryProps {
  readonly task: CompareTask
  readonly rows: readonly PairedRow[]
  readonly labels: readonly [a: string, b: string]
}

const TESTS: Readonly<Record<PairTest, string>> = {
  'mid-p': 'McNemar’s mid-p',
  t: 'Student’s t, CR2',
  Gaffke: 'Gaffke',
  bounds: 'bounds',
  none: 'none',
}

/** The paired difference with its interval, by the functions that make the benchmark's own page. */
export const Summary = ({ task, rows, labels: [labelA, labelB] }: SummaryProps): JSX.Element => {
  const summary = summarizePair([sidesOf(rows)], task)
  if (summary === undefined || summary.difference === null)
    return <p class="warning">No instance has a value of both models.</p>
  const { difference, interval, p, common: n, sources, mde, medhelmMde, test } = summary
  const both = rows.filter(({ a, b }) => !Number.isNaN(a) && !Number.isNaN(b))
  const mean = (of: (row: PairedRow) => number): string =>
    formatValue(both.reduce((sum, row) => sum + of(row), 0) / both.length)
  return (
    <DataTable
      label="Paired difference"
      head={[
        { text: 'Metric' },
        { text: `A: ${labelA}`, number: true },
        { text: `B: ${labelB}`, number: true },
        { text: 'B − A', number: true },
        { text: '95 % interval', number: true },
        { text: `p (${TESTS[test]})`, number: true },
        { text: 'n', number: true },
        ...(sources === n ? [] : [{ text: 'Sources', number: true }]),
        { text: 'Detectable', number: true },
        { text: 'Detectable (MedHELM)', number: true },
      ]}
      rows={[
        [
          task.metric,
          mean(({ a }) => a),
          mean(({ b }) => b),
          formatDifference(difference),
          interval === null ? '–' : `${formatDifference(interval.low)} to ${formatDifference(interval.high)}`,
          p === null ? '–' : formatP(p),
          formatCount(n),
          ...(sources === n ? [] : [formatCount(sources)]),
          mde === null ? '–' : formatValue(mde),
          medhelmMde === null ? '–' : formatValue(medhelmMde),
        ],
      ]}
    />
  )
}
