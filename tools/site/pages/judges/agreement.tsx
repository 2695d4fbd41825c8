import type { JSX } from 'preact'
import { formatCount, plural } from '../../../../cache/words/number-text.ts'
import { LEAST_SOURCES } from '../../../../targets/statistics/resampling/jackknife.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactRange, exactShare, exactValue } from '../../components/exact.tsx'
import { Folded } from '../../components/folded.tsx'
import { linearAxis } from '../../components/plot/axis.ts'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import { visibleText } from '../../visible-text.ts'
import type { NamedJudges } from './named-judges.ts'
import type { JudgesProps } from './page.tsx'

/** How the judges of each benchmark agree, all together. */
export const AgreementFigure = ({ judges, root }: JudgesProps): JSX.Element | null => {
  if (judges.every(({ alpha }) => alpha === null)) return null
  const ends = judges.flatMap(({ alpha }) => (alpha === null ? [] : [alpha.value, alpha.interval?.low ?? 0]))
  const axis = linearAxis({ from: Math.min(0, ...ends), to: 1 }, MARK_PIXELS)
  return (
    <>
      <h2 id="agreement">Agreement between judges</h2>
      <p>
        Krippendorff’s α of the judges’ mean scores of an answer: 1 where they are the same, 0 where they are
        no closer than scores of other answers. Intervals (95 %) are over instances, each with all answers to
        it; under {LEAST_SOURCES} of them there is none.
      </p>
      <DataTable
        label="Agreement between judges"
        head={[
          'Benchmark',
          { text: 'α', axis, line: 0 },
          ...numeric('α of all', '95 % interval', 'Judges', 'Answers'),
        ]}
        rows={judges.map((each) => [
          <BenchmarkLink of={each} root={root} />,
          each.alpha === null ? [] : [{ value: each.alpha.value, interval: each.alpha.interval }],
          exactValue(each.alpha?.value),
          exactRange(each.alpha?.interval),
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

const count = (judges: JudgesProps['judges']): number =>
  judges.reduce((sum, { pairs }) => sum + pairs.length, 0)

/** Each two of them. */
export const PairsTable = ({ judges, root }: JudgesProps): JSX.Element | null =>
  judges.every(({ pairs }) => pairs.length === 0) ? null : (
    <Folded rows={count(judges)} summary={`Each two judges: ${plural(count(judges), 'row')}`}>
      <DataTable
        label="Agreement of each two judges"
        head={['Benchmark', 'Judges', ...numeric('α', '95 % interval', 'Within a point', 'Answers')]}
        rows={judges.flatMap((each) =>
          each.pairs.map((pair) => [
            <BenchmarkLink of={each} root={root} />,
            visibleText(pair.judges.join(', ')),
            exactValue(pair.alpha?.value),
            exactRange(pair.alpha?.interval),
            exactShare(pair.answers === 0 ? null : pair.within),
            formatCount(pair.answers),
          ]),
        )}
      />
    </Folded>
  )
