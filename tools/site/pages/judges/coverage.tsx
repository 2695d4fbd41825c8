import { sumOver } from '../../../../cache/lists.ts'
import type { JSX } from 'preact'
import { formatCount, formatShare, plural } from '../../../../cache/words/number-text.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactRange, exactShare, exactValue } from '../../components/exact.tsx'
import { Folded } from '../../components/folded.tsx'
import { visibleText } from '../../visible-text.ts'
import { BenchmarkLink } from './agreement.tsx'
import type { JudgesProps } from './page.tsx'

/** Which replies count. */
export const CoverageTable = ({ judges, root }: JudgesProps): JSX.Element => (
  <>
    <h2 id="coverage">Judgements that count</h2>
    <Folded rows={judges.reduce((sum, { coverage }) => sum + coverage.length, 0)} summary={countText(judges)}>
      <DataTable
        label="Judgements that count"
        head={[
          'Benchmark',
          'Judge',
          ...numeric('Asked', 'Count', 'Share', 'No reply, or unreadable', 'Off the scale'),
        ]}
        rows={judges.flatMap((each) =>
          each.coverage.map(({ judge, asked, counted, unreadable, outOfRange }) => [
            <BenchmarkLink of={each} root={root} />,
            visibleText(judge),
            formatCount(asked),
            formatCount(counted),
            exactShare(asked === 0 ? null : counted / asked),
            formatCount(unreadable),
            formatCount(outOfRange),
          ]),
        )}
      />
    </Folded>
  </>
)

/** `4 310 of 4 356 judgements count, 98.9 %` */
const countText = (judges: JudgesProps['judges']): string => {
  const all = judges.flatMap(({ coverage }) => coverage)
  const sum = sumOver(all)
  const [asked, counted] = [sum((each) => each.asked), sum((each) => each.counted)]
  return `${formatCount(counted)} of ${plural(asked, 'judgement')} count${asked === 0 ? '' : `, ${formatShare(counted / asked)}`}`
}

/** What a judge says when it is asked the same again. */
export const RepeatsTable = ({ judges, root }: JudgesProps): JSX.Element => {
  const rows = judges.flatMap((each) => (each.repeats ?? []).map((repeat) => ({ each, repeat })))
  return (
    <>
      <h2 id="repeats">Asked the same again</h2>
      {rows.length === 0 ? (
        <p>
          No judge was asked twice. <code>medmake jury repeats</code> does it, and shows here what came of it.
        </p>
      ) : (
        <DataTable
          label="Asked the same again"
          head={[
            'Benchmark',
            'Judge',
            ...numeric('Answers', 'Same scores', 'SD, points', 'Largest change', 'ICC(1,1)', '95 % interval'),
          ]}
          rows={rows.map(({ each, repeat }) => [
            <BenchmarkLink of={each} root={root} />,
            visibleText(repeat.judge),
            formatCount(repeat.compared),
            exactShare(repeat.identical),
            exactValue(repeat.sd),
            exactValue(repeat.maxChange),
            exactValue(repeat.icc?.value),
            exactRange(repeat.icc?.interval),
          ])}
        />
      )}
    </>
  )
}
