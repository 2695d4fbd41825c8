import type { JSX } from 'preact'
import { formatCount, formatRange, formatShare, formatValue } from '../../../compare/number-text.ts'
import { DataTable } from '../../components/data-table.tsx'
import { linearAxis } from '../../components/plot/axis.ts'
import { MarkTable } from '../../components/plot/mark-table.tsx'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import type { JudgeFigure } from '../../../../targets/jury/study/judges-report.ts'
import { visibleText } from '../../visible-text.ts'
import type { NamedJudges } from './named-judges.ts'
import type { JudgesProps } from './page.tsx'

/** How the judges of each benchmark agree, all together. */
export const AgreementFigure = ({ judges, root }: JudgesProps): JSX.Element => {
  const ends = judges.flatMap(({ alpha }) => (alpha === null ? [] : [alpha.value, alpha.interval?.low ?? 0]))
  const axis = linearAxis({ from: Math.min(0, ...ends), to: 1 }, MARK_PIXELS)
  return (
    <>
      <h2 id="agreement">Agreement between judges</h2>
      <p>
        Krippendorff’s α of the judges’ mean scores of an answer: 1 where they are the same, 0 where they are
        no closer than scores of other answers. Intervals (95 %) draw instances, with all answers to them.
      </p>
      <MarkTable
        label="Agreement between judges"
        head={[
          { text: 'Benchmark' },
          { text: 'α', axis, line: 0 },
          { text: 'α of all', number: true },
          { text: '95 % interval', number: true },
          { text: 'Judges', number: true },
          { text: 'Answers', number: true },
        ]}
        rows={judges.map((each) => [
          <BenchmarkLink of={each} root={root} />,
          each.alpha === null ? [] : [{ value: each.alpha.value, interval: each.alpha.interval }],
          each.alpha === null ? '–' : formatValue(each.alpha.value),
          intervalText(each.alpha),
          formatCount(each.judges.length),
          formatCount(each.answers),
        ])}
      />
    </>
  )
}

export const BenchmarkLink = ({
  of: { label, href },
  root,
}: {
  readonly of: Pick<NamedJudges, 'label' | 'href'>
  readonly root: string
}): JSX.Element => <a href={root + href}>{label}</a>

export const intervalText = (figure: JudgeFigure | null): string =>
  figure?.interval == null ? '–' : formatRange(figure.interval)

/** Each two of them. */
export const PairsTable = ({ judges, root }: JudgesProps): JSX.Element | null =>
  judges.every(({ pairs }) => pairs.length === 0) ? null : (
    <details open={judges.length < 4}>
      <summary>Each two judges</summary>
      <DataTable
        label="Agreement of each two judges"
        head={[
          { text: 'Benchmark' },
          { text: 'Judges' },
          { text: 'α', number: true },
          { text: '95 % interval', number: true },
          { text: 'Within a point', number: true },
          { text: 'Answers', number: true },
        ]}
        rows={judges.flatMap((each) =>
          each.pairs.map((pair) => [
            <BenchmarkLink of={each} root={root} />,
            visibleText(pair.judges.join(', ')),
            pair.alpha === null ? '–' : formatValue(pair.alpha.value),
            intervalText(pair.alpha),
            pair.answers === 0 ? '–' : formatShare(pair.within),
            formatCount(pair.answers),
          ]),
        )}
      />
    </details>
  )
