import type { JSX } from 'preact'
import type { SiteSuite } from '../../site.ts'
import { suitePage } from '../suite-page.tsx'
import { AgreementFigure, BenchmarkLink, PairsTable } from './agreement.tsx'
import { ClinicianTables } from './clinicians.tsx'
import { DropoutFigure, dropoutOf } from './dropout.tsx'
import { namedJudges, type NamedJudges } from './named-judges.ts'
import { KinshipFigure, LeniencyFigure } from './leaning.tsx'
import { DividedInstances } from './divided-instances.tsx'
import {
  formatValue,
  listText,
  plural,
  fixed,
  formatCount,
  formatShare,
} from '../../../../cache/words/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { isolated } from '../leaderboard/isolated.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { ModelLink, InstanceLink } from '../../components/links.tsx'
import { sumOver } from '../../../../cache/lists.ts'
import { exactRange, exactShare, exactValue } from '../../components/exact.tsx'
import { Folded } from '../../components/folded.tsx'

/** judges.html and, where there are several suites, judges/….html: whether a jury can be believed. Needs no script. */
export const judgesPage = suitePage({
  page: 'judges',
  label: 'Judges',
  isIn: (suites) => suites.some((suite) => (suite.judges ?? []).length > 0 || dropoutOf(suite).length > 0),
  content: (suite, root) => {
    const judges = namedJudges(suite)
    return (
      <>
        <h1>Judges</h1>
        {judges.length === 0 ? (
          <p>
            {dropoutOf(suite).length === 0
              ? 'No benchmark of this suite has a jury of several judges whose judgements are at hand.'
              : 'Single judgements are not at hand here: the scores without each judge are.'}
          </p>
        ) : (
          <Report suite={suite} judges={judges} root={root} />
        )}
        <DropoutFigure suite={suite} root={root} />
      </>
    )
  },
})

export interface JudgesProps {
  readonly judges: readonly NamedJudges[]
  readonly root: string
}

const Report = ({ suite, judges, root }: JudgesProps & { readonly suite: SiteSuite }): JSX.Element => (
  <>
    <p class="standfirst">{verdictOf(judges)}</p>
    <AgreementFigure judges={judges.filter(isRead)} root={root} />
    <PairsTable judges={judges} root={root} />
    <LeniencyFigure judges={judges.filter(isRead)} root={root} />
    <KinshipFigure judges={judges} root={root} />
    <ClinicianTables suite={suite} judges={judges} root={root} />
    <div class="beside">
      <SplitAnswers suite={suite} judges={judges} root={root} />
      <DividedInstances
        title="Instances on which they differ most, over all models"
        label="Instances on which judges differ most"
        suite={suite.board.suite}
        judges={judges}
        root={root}
        most={15}
        benchmarkOf={(each) => <BenchmarkLink of={each} root={root} />}
      />
    </div>
    <CoverageTable judges={judges} root={root} />
    <RepeatsTable judges={judges} root={root} />
  </>
)

const isRead = ({ answers }: NamedJudges): boolean => answers > 0

/** Below it data are not taken to agree: Krippendorff's own bound for tentative conclusions. */
const TENTATIVE = 0.667

/** What the page shows, in two sentences. */
const verdictOf = (judges: readonly NamedJudges[]): string => {
  const known = judges.filter(({ alpha }) => alpha !== null)
  const sure = known.filter(({ alpha }) => (alpha?.interval?.low ?? -1) >= TENTATIVE)
  const weak = known.filter(({ alpha }) => (alpha?.interval?.high ?? 1) < TENTATIVE)
  const agreement =
    known.length === 0
      ? 'How the judges agree cannot be told: no answer was read by two of them, or none differs.'
      : `The judges surely agree (α of ${TENTATIVE} and more) on ${sure.length} of ${plural(known.length, 'benchmark')}, surely not on ${weak.length}${known.length === 1 && known[0]?.alpha != null ? `: α ${formatValue(known[0].alpha.value)}` : ''}.`
  return `${agreement}${mutesOf(judges)} ${preferenceOf(judges)}`
}

/** Whose every reply was of no use: the jury was another one than it was meant to be. */
const mutesOf = (judges: readonly NamedJudges[]): string => {
  const mute = judges.flatMap(({ label, coverage }) =>
    coverage.flatMap(({ judge, asked, counted }) =>
      asked > 0 && counted === 0 ? [`${visibleText(judge)} on ${isolated(label)}`] : [],
    ),
  )
  return mute.length === 0 ? '' : ` No judgement counts of ${listText(mute)}.`
}

const preferenceOf = (judges: readonly NamedJudges[]): string => {
  const all = judges.flatMap(({ label, kinship }) => kinship.map((each) => ({ ...each, label })))
  const found = all.filter(({ found: own, holm }) => own !== null && holm !== null && holm < 0.05)
  if (all.every(({ found: own }) => own === null))
    return 'Whether a judge prefers its own family cannot be told: that takes judges of which some are kin to a model, and some not.'
  if (found.length === 0) return 'None is shown to prefer, or to spare, its own family.'
  const lines = found.map(
    ({ family, label, found: own }) =>
      `${visibleText(family)} ${(own?.delta ?? 0) > 0 ? 'favours' : 'is harder on'} its own on ${isolated(label)}`,
  )
  return `${lines.join('; ')} (Holm over all ${all.length}).`
}

interface SplitProps extends JudgesProps {
  readonly suite: SiteSuite
}

/** Rows of the list. */
const LISTED = 15

/** Of public benchmarks: single answers on which judges differ most, each one click away. */
const SplitAnswers = ({ suite: { board }, judges, root }: SplitProps): JSX.Element | null => {
  const rows = judges
    .flatMap((each) =>
      each.split.map((answer) => ({
        each,
        answer,
        sorted: answer.scores.toSorted((a, b) => a.score - b.score),
      })),
    )
    .toSorted((a, b) => widthOf(b.sorted) - widthOf(a.sorted))
    .slice(0, LISTED)
  return rows.length === 0 ? null : (
    <section>
      <h2 id="split">Answers on which they differ most</h2>
      <DataTable
        label="Answers on which judges differ most"
        head={['Answer', 'Model', 'Benchmark', 'Scores, least first']}
        rows={rows.map(({ each, answer, sorted }) => [
          <InstanceLink
            suite={board.suite}
            run={each.runs[answer.model]}
            instance={answer.instance}
            root={root}
          />,
          <ModelLink board={board} deployment={answer.model} root={root} />,
          <BenchmarkLink of={each} root={root} />,
          sorted.map(({ judge, score }) => `${visibleText(judge)} ${fixed(score, 1)}`).join(', '),
        ])}
      />
    </section>
  )
}

const widthOf = (sorted: readonly { readonly score: number }[]): number =>
  (sorted.at(-1)?.score ?? 0) - (sorted[0]?.score ?? 0)

/** Which replies count. */
const CoverageTable = ({ judges, root }: JudgesProps): JSX.Element => (
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
const RepeatsTable = ({ judges, root }: JudgesProps): JSX.Element => {
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
