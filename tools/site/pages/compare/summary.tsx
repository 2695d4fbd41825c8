import type { JSX } from 'preact'
import type { ComparedScenario } from '../../../../targets/compare/compare-models.ts'
import type { PairTest } from '../../../../targets/statistics/paired/pair-difference.ts'
import { detectableDifference } from '../../../../targets/statistics/power/detectable.ts'
import { DataTable } from '../../components/data-table.tsx'
import { formatCount, formatDifference, formatP, formatValue } from '../../../compare/number-text.ts'
import type { CompareTask } from './compare-data.ts'

interface SummaryProps {
  readonly task: CompareTask
  readonly compared: ComparedScenario
  readonly labels: readonly [a: string, b: string]
}

const TESTS: Readonly<Record<PairTest, string>> = {
  'mid-p': 'McNemar’s mid-p',
  t: 'Student’s t, CR2',
  Gaffke: 'Gaffke',
  bounds: 'bounds',
  none: 'none',
}

const orDash = (value: number | null, text: (value: number) => string): string =>
  value === null ? '–' : text(value)

/** The chosen benchmark's paired difference in full. */
export const Summary = ({ task, compared, labels: [labelA, labelB] }: SummaryProps): JSX.Element => {
  const { result, unranked, medhelmMde } = compared
  const found = result ?? unranked
  if (found === null || found.difference === null)
    return <p class="warning">No instance has a value of both models.</p>
  const { difference, interval, meanA, meanB, n, common, sources, test, plan } = found
  return (
    <>
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
          ...(sources === common ? [] : [{ text: 'Sources', number: true }]),
          { text: 'Detectable', number: true },
          { text: 'Detectable (MedHELM)', number: true },
        ]}
        rows={[
          [
            task.metric,
            orDash(meanA, formatValue),
            orDash(meanB, formatValue),
            formatDifference(difference),
            interval === null
              ? '–'
              : `${formatDifference(interval.low)} to ${formatDifference(interval.high)}`,
            result === null ? '–' : orDash(result.p, formatP),
            common === n ? formatCount(n) : `${formatCount(common)} of ${formatCount(n)}`,
            ...(sources === common ? [] : [formatCount(sources)]),
            orDash(detectableDifference(plan), formatValue),
            orDash(medhelmMde, formatValue),
          ],
        ]}
      />
      {unranked === null ? null : (
        <p class="warning">One of the runs is not measured in full: this decides nothing.</p>
      )}
    </>
  )
}
