import { meanOf } from '../../../../targets/statistics/mean.ts'
import type { JSX } from 'preact'
import type { BoardPair, ColumnPairs } from '../../../../targets/board/board-pairs.ts'
import type { PairTest } from '../../../../targets/statistics/paired/pair-difference.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactDifference, exactDifferences, exactP, exactValue } from '../../components/exact.tsx'
import { Folded } from '../../components/folded.tsx'
import { allOf, formatCount, formatValue, plural } from '../../../../cache/words/number-text.ts'
import { ALPHA } from '../../../../targets/statistics/scale.ts'

interface PairsProps {
  readonly pairs: ColumnPairs
  /** A deployment's name on the board, which leads to its page. */
  readonly linkOf: (deployment: string) => JSX.Element
}

/** How models differ on the instances that both have: differences, tests, and what could have been noticed. */
export const Pairs = ({ pairs: { of, pairs }, linkOf }: PairsProps): JSX.Element => (
  <>
    <h2 id="differences">Differences between models</h2>
    <p>
      {of === 'all' ? `${allOf(pairs.length, 'pair')} of ranked models` : 'Every ranked model and the best'},
      on the instances that both have. p is two-sided, by {testsText(pairs)}, and adjusted by Holm over the
      pairs of the table. {effectText(pairs)}
    </p>
    <Folded rows={pairs.length} summary={toldText(pairs)}>
      <DataTable
        label="Differences between models"
        head={[
          'Model A',
          'Model B',
          ...numeric('B − A', '95 % interval', 'p', 'p (Holm)', 'n', 'Detectable', 'Detectable (MedHELM)'),
        ]}
        rows={pairs.map((pair) => [
          linkOf(pair.a),
          linkOf(pair.b),
          exactDifference(pair.difference),
          exactDifferences(pair.interval),
          exactP(pair.p),
          exactP(pair.holm),
          pair.sources === pair.common
            ? formatCount(pair.common)
            : `${formatCount(pair.common)} of ${plural(pair.sources, 'source')}`,
          pair.mde === null ? detectableText(pair) : exactValue(pair.mde),
          exactValue(pair.medhelmMde),
        ])}
      />
    </Folded>
  </>
)

/** `3 of 78 pairs are told apart`, `The pair is not told apart` */
const toldText = (pairs: readonly BoardPair[]): string => {
  const told = pairs.filter(({ holm }) => holm !== null && holm < ALPHA).length
  if (pairs.length === 1) return `The pair is ${told === 1 ? '' : 'not '}told apart`
  return `${formatCount(told)} of ${plural(pairs.length, 'pair')} ${told === 1 ? 'is' : 'are'} told apart`
}

const TESTS: Readonly<Record<PairTest, string>> = {
  'mid-p': 'McNemar’s mid-p test with Tango’s interval',
  t: 'Student’s t over sources (CR2)',
  Gaffke: 'Gaffke’s interval, as nothing spreads',
  bounds: 'bounds around what could not be read (Imbens and Manski)',
  none: 'no test',
}

const testsText = (pairs: readonly BoardPair[]): string =>
  [...new Set(pairs.map(({ test }) => TESTS[test]))].join(' or ')

const detectableText = ({ plan }: BoardPair): string => (plan === null ? '–' : 'none at this n')

/** The benchmark's minimum detectable effect: what the paper gives, its mean over pairs. */
const effectText = (pairs: readonly BoardPair[]): string => {
  const known = pairs.flatMap(({ medhelmMde }) => (medhelmMde === null ? [] : [medhelmMde]))
  if (known.length === 0) return ''
  return (
    'Detectable is the true difference that so many instances show in 80 % of cases, at 5 %; as MedHELM’s paper ' +
    `forms it, in the metric’s own units, it is ${formatValue(meanOf(known))} on average.`
  )
}
