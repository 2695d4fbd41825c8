import type { JSX } from 'preact'
import type { BoardPair, ColumnPairs } from '../../../../targets/aggregate/board-pairs.ts'
import { DataTable } from '../../components/data-table.tsx'
import { formatCount, formatDifference, formatP, formatValue, plural } from '../../format.ts'
import { visibleText } from '../../visible-text.ts'

interface PairsProps {
  readonly pairs: ColumnPairs
  /** A deployment's name on the board. */
  readonly labelOf: (deployment: string) => string
}

/** How models differ on the instances that both have: differences, tests, and what could have been noticed. */
export const Pairs = ({ pairs: { of, pairs }, labelOf }: PairsProps): JSX.Element => (
  <>
    <h2 id="differences">Differences between models</h2>
    <p>
      {of === 'all'
        ? `All ${plural(pairs.length, 'pair')} of ranked models`
        : 'Every ranked model and the best'}
      , on the instances that both have. p is two-sided, by {testsText(pairs)}, and adjusted by Holm over the
      pairs of the table. {effectText(pairs)}
    </p>
    <DataTable
      label="Differences between models"
      head={[
        { text: 'Model A' },
        { text: 'Model B' },
        { text: 'B − A', number: true },
        { text: '95 % interval', number: true },
        { text: 'p', number: true },
        { text: 'p (Holm)', number: true },
        { text: 'n', number: true },
        { text: 'Detectable', number: true },
        { text: 'Detectable (MedHELM)', number: true },
      ]}
      rows={pairs.map((pair) => [
        visibleText(labelOf(pair.a)),
        visibleText(labelOf(pair.b)),
        formatDifference(pair.difference),
        pair.interval === null
          ? '–'
          : `${formatDifference(pair.interval.low)} to ${formatDifference(pair.interval.high)}`,
        formatP(pair.p),
        formatP(pair.holm),
        pair.sources === pair.n
          ? formatCount(pair.n)
          : `${formatCount(pair.n)} of ${plural(pair.sources, 'source')}`,
        pair.mde === null ? '–' : formatValue(pair.mde),
        pair.medhelmMde === null ? '–' : formatValue(pair.medhelmMde),
      ])}
    />
  </>
)

const TESTS = { McNemar: 'McNemar’s exact test', Student: 'Student’s t of the differences' } as const

const testsText = (pairs: readonly BoardPair[]): string =>
  [...new Set(pairs.map(({ test }) => TESTS[test]))].join(' or ')

/** The benchmark's minimum detectable effect: what the paper gives, its mean over pairs. */
const effectText = (pairs: readonly BoardPair[]): string => {
  const known = pairs.flatMap(({ medhelmMde }) => (medhelmMde === null ? [] : [medhelmMde]))
  if (known.length === 0) return ''
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length
  return (
    'Detectable is the true difference that so many instances show in 80 % of cases, at 5 %; as MedHELM’s paper ' +
    `forms it, in the metric’s own units, it is ${formatValue(mean)} on average.`
  )
}
