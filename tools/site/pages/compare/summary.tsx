import type { JSX } from 'preact'
import type { ComparedScenario } from '../../../../targets/compare/compare-models.ts'
import type { PairTest } from '../../../../targets/statistics/paired/pair-difference.ts'
import { detectableDifference } from '../../../../targets/statistics/power/detectable.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { fittedNames } from '../../components/plot/fitted-names.ts'
import { exactDifference, exactDifferences, exactP, exactValue } from '../../components/exact.tsx'
import { formatCount } from '../../../../cache/words/number-text.ts'
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

/** Most that a model's name takes of the table's head: px. */
const NAME = 160

/** The chosen benchmark's paired difference in full. */
export const Summary = ({ task, compared, labels: [labelA, labelB] }: SummaryProps): JSX.Element => {
  const { result, unranked, medhelmMde } = compared
  const found = result ?? unranked
  if (found === null || found.difference === null)
    return <p class="warning">No instance has a value of both models.</p>
  // Beside a whole long name nothing else would be on the screen; the fields above have it.
  const names = fittedNames([labelA, labelB], NAME)
  const { difference, interval, meanA, meanB, n, common, sources, test, plan } = found
  return (
    <>
      <DataTable
        label="Paired difference"
        head={[
          'Metric',
          ...numeric(
            `A: ${names.get(labelA)}`,
            `B: ${names.get(labelB)}`,
            'B − A',
            '95 % interval',
            `p (${TESTS[test]})`,
            'n',
          ),
          ...(sources === common ? [] : numeric('Sources')),
          ...numeric('Detectable', 'Detectable (MedHELM)'),
        ]}
        rows={[
          [
            task.metric,
            exactValue(meanA),
            exactValue(meanB),
            exactDifference(difference),
            exactDifferences(interval),
            exactP(result?.p),
            common === n ? formatCount(n) : `${formatCount(common)} of ${formatCount(n)}`,
            ...(sources === common ? [] : [formatCount(sources)]),
            exactValue(detectableDifference(plan)),
            exactValue(medhelmMde),
          ],
        ]}
      />
      {unranked === null ? null : (
        <p class="warning">One of the runs is not measured in full: this decides nothing.</p>
      )}
    </>
  )
}
