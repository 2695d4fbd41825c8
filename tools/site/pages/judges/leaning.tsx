import type { JSX } from 'preact'
import type { JudgeFigure } from '../../../../targets/jury/study/judges-report.ts'
import { formatDifference, formatP } from '../../../compare/number-text.ts'
import { linearAxis, type Axis } from '../../components/plot/axis.ts'
import { MarkTable, type MarkCell } from '../../components/plot/mark-table.tsx'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import { visibleText } from '../../visible-text.ts'
import { BenchmarkLink } from './agreement.tsx'
import type { JudgesProps } from './page.tsx'

/** Who gives more than the others. */
export const LeniencyFigure = ({ judges, root }: JudgesProps): JSX.Element | null => {
  const axis = axisOf(judges.flatMap((each) => each.judges.flatMap(({ leniency }) => leniency ?? [])))
  return axis === null ? null : (
    <>
      <h2 id="leniency">Leniency</h2>
      <p>
        A judge’s mean less that of all judges, in points of the rubric, over the answers that all of them
        read. A lenient judge is no biased one: it moves all models alike. Filled: the 95 % interval leaves
        out 0.
      </p>
      <MarkTable
        label="Leniency"
        head={[
          { text: 'Judge' },
          { text: 'Points', axis, line: 0, format: signed },
          { text: 'More than all', number: true },
          { text: '95 % interval', number: true },
          { text: 'Made by' },
        ]}
        rows={judges.flatMap((each): readonly (readonly MarkCell[])[] => [
          [<BenchmarkLink of={each} root={root} />],
          ...each.judges.map(({ judge, family, leniency }): readonly MarkCell[] => [
            visibleText(judge),
            marksOf(leniency),
            leniency === null ? '–' : formatDifference(leniency.value),
            rangeOf(leniency),
            visibleText(family),
          ]),
        ])}
      />
    </>
  )
}

/** Who prefers the models of its own maker. */
export const KinshipFigure = ({ judges, root }: JudgesProps): JSX.Element | null => {
  const figures = judges.map((each) => ({
    ...each,
    own: each.kinship.map(({ family, found, holm }) => ({
      family,
      figure: found === null ? null : { value: found.delta, interval: found.interval },
      p: found?.p ?? null,
      holm,
    })),
  }))
  const shown = figures.filter(({ own }) => own.length > 0)
  const axis = axisOf(shown.flatMap(({ own }) => own.flatMap(({ figure }) => figure ?? [])))
  if (shown.length === 0) return null
  return (
    <>
      <h2 id="family">Own family</h2>
      <p>
        How much more a judge gives to models of its own maker than the other judges do, against the same for
        other makers’ models: answers and leniency are taken out. p is adjusted by Holm over all of them.
      </p>
      <MarkTable
        label="Own family"
        head={[
          { text: 'Family' },
          ...(axis === null ? [] : [{ text: 'Points', axis, line: 0, format: signed }]),
          { text: 'More to its own', number: true },
          { text: '95 % interval', number: true },
          { text: 'p', number: true },
          { text: 'p (Holm)', number: true },
        ]}
        rows={shown.flatMap((each): readonly (readonly MarkCell[])[] => [
          [<BenchmarkLink of={each} root={root} />],
          ...each.own.map(({ family, figure, p, holm }): readonly MarkCell[] => [
            visibleText(family),
            ...(axis === null ? [] : [marksOf(figure)]),
            figure === null ? 'not told apart from leniency' : formatDifference(figure.value),
            rangeOf(figure),
            p === null ? '–' : formatP(p),
            holm === null ? '–' : formatP(holm),
          ]),
        ])}
      />
    </>
  )
}

const signed = (tick: number): string => (tick > 0 ? `+${tick}` : String(tick).replace('-', '−'))

/** As far to both sides of 0. */
const axisOf = (figures: readonly JudgeFigure[]): Axis | null => {
  const most = Math.max(
    0,
    ...figures.flatMap(({ value, interval }) =>
      [value, interval?.low ?? 0, interval?.high ?? 0].map(Math.abs),
    ),
  )
  return figures.length === 0 ? null : linearAxis({ from: -(most || 1), to: most || 1 }, MARK_PIXELS, 4)
}

const marksOf = (figure: JudgeFigure | null): MarkCell =>
  figure === null
    ? []
    : [
        {
          ...figure,
          isHollow: figure.interval === null || (figure.interval.low <= 0 && figure.interval.high >= 0),
        },
      ]

const rangeOf = (figure: JudgeFigure | null): string =>
  figure?.interval == null
    ? '–'
    : `${formatDifference(figure.interval.low)} to ${formatDifference(figure.interval.high)}`
