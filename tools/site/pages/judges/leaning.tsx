import type { JSX } from 'preact'
import type { JudgeFigure } from '../../../../targets/jury/study/judged-answers.ts'
import { exactDifference, exactDifferences, exactFigure, exactP } from '../../components/exact.tsx'
import { linearAxis, type Axis } from '../../components/plot/axis.ts'
import { DataTable, type DataCell, type DataColumn } from '../../components/data-table.tsx'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import { visibleText } from '../../visible-text.ts'
import { BenchmarkLink } from './agreement.tsx'
import type { NamedJudges } from './named-judges.ts'
import type { JudgesProps } from './page.tsx'

/** Who gives more than the others: a row a benchmark, a column a judge. */
export const LeniencyFigure = ({ judges, root }: JudgesProps): JSX.Element | null => {
  const axis = axisOf(judges.flatMap((each) => each.judges.flatMap(({ leniency }) => leniency ?? [])))
  const all = judges.flatMap((each) => each.judges)
  const names = [...new Set(all.map(({ judge }) => judge))]
  return axis === null ? null : (
    <>
      <h2 id="leniency">Leniency</h2>
      <p>
        A judge’s mean less that of all judges, in points of the rubric, over the answers that all of them
        read. A lenient judge is no biased one: it moves all models alike. Filled: the 95 % interval leaves
        out 0.
      </p>
      <DataTable
        label="Leniency"
        head={[
          'Benchmark',
          ...names.flatMap((name) => {
            const { family = name } = all.find(({ judge }) => judge === name) ?? {}
            return columnsOf(visibleText(family === name ? name : `${name} (${family})`), axis)
          }),
        ]}
        rows={judges.map((each): readonly DataCell[] => [
          <BenchmarkLink of={each} root={root} />,
          ...names.flatMap((name) =>
            figureCells(each.judges.find(({ judge }) => judge === name)?.leniency ?? null),
          ),
        ])}
      />
    </>
  )
}

interface Kin {
  readonly family: string
  readonly figure: JudgeFigure | null
  readonly holm: number | null
}

const kinOf = ({ kinship }: NamedJudges): readonly Kin[] =>
  kinship.map(({ family, found, holm }) => ({
    family,
    figure: found === null ? null : { value: found.delta, interval: found.interval },
    holm,
  }))

/** Who prefers the models of its own maker: a row a benchmark, a column a family; nothing where none can be told. */
export const KinshipFigure = ({ judges, root }: JudgesProps): JSX.Element | null => {
  const shown = judges.map((each) => ({ ...each, own: kinOf(each) })).filter(({ own }) => own.length > 0)
  const families = [...new Set(shown.flatMap(({ own }) => own.map(({ family }) => family)))]
  const axis = axisOf(shown.flatMap(({ own }) => own.flatMap(({ figure }) => figure ?? [])))
  if (axis === null) return null
  return (
    <>
      <h2 id="family">Own family</h2>
      <p>
        How much more a judge gives to models of its own maker than the other judges do, against the same for
        other makers’ models: answers and leniency are taken out. p is adjusted by Holm over all of them.
      </p>
      <DataTable
        label="Own family"
        head={[
          'Benchmark',
          ...families.flatMap((family) => [
            ...columnsOf(visibleText(family), axis),
            { text: `p (Holm), ${visibleText(family)}`, short: 'p (Holm)', number: true },
          ]),
        ]}
        rows={shown.map((each): readonly DataCell[] => [
          <BenchmarkLink of={each} root={root} />,
          ...families.flatMap((name): readonly DataCell[] => {
            const own = each.own.find(({ family }) => family === name)
            return [...figureCells(own?.figure ?? null), exactP(own?.holm)]
          }),
        ])}
      />
    </>
  )
}

/** A judge's or a family's marks, and the numbers beside them. */
const columnsOf = (name: string, axis: Axis): readonly DataColumn[] => [
  { text: name, axis, line: 0, format: (tick) => (tick > 0 ? `+${tick}` : String(tick).replace('-', '−')) },
  { text: `${name}, points`, short: 'Points', number: true },
]

const figureCells = (figure: JudgeFigure | null): readonly DataCell[] => [
  marksOf(figure),
  exactFigure(figure, { value: exactDifference, range: exactDifferences }),
]

/** Points of a rubric that are shown as 0, which sums of thirds may leave of it. */
const NONE = 1e-9

/** As far to both sides of 0. */
const axisOf = (figures: readonly JudgeFigure[]): Axis | null => {
  const most = Math.max(
    0,
    ...figures.flatMap(({ value, interval }) =>
      [value, interval?.low ?? 0, interval?.high ?? 0].map(Math.abs),
    ),
  )
  const reach = most < NONE ? 1 : most
  return figures.length === 0 ? null : linearAxis({ from: -reach, to: reach }, MARK_PIXELS, 2)
}

const marksOf = (figure: JudgeFigure | null): DataCell =>
  figure === null
    ? []
    : [
        {
          ...figure,
          isHollow: figure.interval === null || (figure.interval.low <= 0 && figure.interval.high >= 0),
        },
      ]
