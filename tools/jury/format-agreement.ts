import { groupBy } from '../../cache/lists.ts'
import {
  POOLED,
  type Agreement,
  type AgreementEstimate,
  type RaterAgreement,
  type Replacement,
  type ScoreAgreement,
} from '../../targets/jury/study/agreement.ts'
import type { DrawnShares } from '../../targets/ratings/draw/drawn-shares.ts'
import {
  fixed,
  formatDifference,
  formatShare,
  formatValue,
  plural,
  spanText,
} from '../../cache/words/number-text.ts'
import { alignedTable, indented, tabulated, type TextColumns } from '../../cache/words/tables.ts'

/** One benchmark's agreement, or that of all together, as lines. */
export const agreementText = ({
  name,
  raters,
  ratings,
  answers,
  drawn,
  clinicians,
  jury,
  metrics,
  replacement,
  parts = [],
}: Agreement): string =>
  [
    `${name}: ${plural(ratings, 'rating')} of ${plural(answers, 'answer')} by ${plural(raters, 'clinician')}`,
    ...(drawn === undefined ? [] : [line('drawn', drawnText(drawn))]),
    ...clinicianLines(clinicians),
    ...[...(jury === null ? [] : [jury]), ...metrics].flatMap(scoreLines),
    ...(replacement === null ? [] : replacementLines(replacement)),
    ...partLines(parts),
  ].join('\n')

/** Benchmarks on which the jury, or a metric, goes with clinicians and others on which it goes against them; empty without. */
export const opposedText = (found: readonly Agreement[]): readonly string[] => {
  const parts = found.filter(({ name }) => name !== POOLED)
  const all = parts.flatMap(({ name: benchmark, jury, metrics }) =>
    [...(jury === null ? [] : [jury]), ...metrics].map(({ name, icc }) => ({
      benchmark,
      name,
      icc: icc.value ?? 0,
    })),
  )
  return [...groupBy(all, ({ name }) => name)].flatMap(([name, own]) => {
    const of = (sign: 1 | -1): string =>
      own.flatMap(({ benchmark, icc }) => (icc * sign > 0 ? [benchmark] : [])).join(', ')
    return of(1) === '' || of(-1) === ''
      ? []
      : [
          `warning: signs differ: ${name} goes with the clinicians in ${of(1)} and against them in ${of(-1)}; what is pooled speaks of neither.`,
        ]
  })
}

const drawnText = ({ least, most }: DrawnShares): string =>
  `${formatShare(least)} to ${formatShare(most)} of the answers of a stratum: all below is of the rated answers, each counting once, not of all`

type Part = NonNullable<Agreement['parts']>[number]

const PARTS: TextColumns<Part> = [
  ['by', ({ by }) => by],
  ['', ({ name }) => name],
  ['ratings', ({ ratings }) => String(ratings)],
  ['answers', ({ answers }) => String(answers)],
  ['clinicians ICC(3,k)', ({ clinicians }) => shortText(clinicians.icc)],
  ['ICC(1,1)', ({ clinicians }) => shortText(clinicians.icc1)],
  ['ICC(2,1)', ({ clinicians }) => shortText(clinicians.icc2)],
  ['jury ICC(3,k)', ({ jury }) => shortText(jury?.icc)],
  ['points more', ({ jury }) => shortText(jury?.bias)],
]

const partLines = (parts: readonly Part[]): readonly string[] =>
  parts.length === 0 ? [] : ['', indented(alignedTable(...tabulated(PARTS, parts)))]

/** Of a table: why there is none is in the JSON. */
export const shortText = (found: AgreementEstimate | undefined): string =>
  found?.value == null ? '–' : valueText(found.value, found.interval)

const valueText = (value: number, interval: AgreementEstimate['interval']): string =>
  formatValue(value) +
  (interval === null ? '' : ` (${formatValue(interval.low)}, ${formatValue(interval.high)})`)

const WIDTH = 14

const line = (head: string, text: string): string => `  ${head.padEnd(WIDTH)}${text}`

const clinicianLines = ({ icc, pairs, alpha, icc1, icc2, kappa }: RaterAgreement): readonly string[] => [
  line('clinicians', `ICC(3,k) ${estimateText(icc)}, mean over pairs`),
  ...pairs.map(({ raters: [first, second], common, icc: own }) =>
    line('', `${first}, ${second}: ${own === null ? 'no spread' : formatValue(own)} over ${common} answers`),
  ),
  line('', `Krippendorff's alpha ${estimateText(alpha)}`),
  line('', `raw ICC(1,1) ${estimateText(icc1)}`),
  line('', `raw ICC(2,1) ${estimateText(icc2)}`),
  ...(kappa.value === null ? [] : [line('', `weighted kappa ${estimateText(kappa)}`)]),
]

const scoreLines = ({
  name,
  answers,
  icc,
  spearman,
  lead,
  kappa,
  bias,
  published,
}: ScoreAgreement): readonly string[] => [
  line(name, `ICC(3,k) ${estimateText(icc)} over ${plural(answers, 'answer')}`),
  ...(published === null || published.iccInterval === null
    ? []
    : [
        line(
          '',
          `as the paper prints it: ${formatValue(published.icc)} ` +
            `(${fixed(published.iccInterval.low, 2)}, ${fixed(published.iccInterval.high, 2)}), of these answers and raters alone`,
        ),
      ]),
  line('', `Spearman ${estimateText(spearman)}`),
  ...(kappa === undefined
    ? []
    : [line('', `weighted kappa, whole points ${estimateText(kappa)}, over sources`)]),
  ...(bias?.value == null ? [] : [line('', `points more than clinicians ${biasText(bias)}`)]),
  line('', `minus clinicians ${estimateText(lead)}${quartilesText(lead)}`),
]

const biasText = ({ limits, ...bias }: NonNullable<ScoreAgreement['bias']>): string =>
  limits === null
    ? estimateText(bias)
    : `${estimateText(bias)}; of single answers ${spanText(limits, formatDifference)} (limits of agreement, Bland and Altman)`

const quartilesText = ({ quartiles, interval, withoutValue, aboveZero }: ScoreAgreement['lead']): string =>
  quartiles === null || interval !== null
    ? ''
    : `; quartiles of the draws ${fixed(quartiles[0], 2)} … ${fixed(quartiles[2], 2)}, ` +
      `above 0 in ${formatShare(aboveZero)}, without a value in ${formatShare(withoutValue)}`

const replacementLines = ({
  epsilon,
  raters,
  winningRate,
  advantage,
  passes,
  reason,
}: Replacement): readonly string[] => {
  if (winningRate === null || advantage === null)
    return [
      line('replacement', `the alternative annotator test cannot be made: ${reason ?? 'too few answers'}`),
    ]
  const tested = raters.filter(({ p }) => p !== null)
  const won = tested.filter(({ rejected }) => rejected).length
  return [
    line(
      'replacement',
      `the jury may take the place of ${won} of ${tested.length} clinicians (alternative annotator test, epsilon ${epsilon}): ` +
        `${passes === true ? 'passes' : 'does not pass'}; as near to the others or nearer in ${formatShare(advantage)}`,
    ),
  ]
}

/** Value and 95 % interval, or why there is none. */
const estimateText = ({ value, interval, reason }: AgreementEstimate): string => {
  if (value === null) return `undetermined (${reason ?? 'no value'})`
  if (interval === null) return `${formatValue(value)} (no interval: ${reason ?? 'none'})`
  return valueText(value, interval)
}
