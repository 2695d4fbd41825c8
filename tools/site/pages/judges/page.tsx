import type { JSX } from 'preact'
import { SuiteSwitch } from '../../components/suite-switch.tsx'
import { renderPage } from '../../emit/document.tsx'
import { rootOf, suitePath } from '../../paths.ts'
import type { SitePage, SiteView } from '../../site-page.ts'
import type { SiteSuite } from '../../site.ts'
import { AgreementFigure, PairsTable } from './agreement.tsx'
import { ClinicianTables } from './clinicians.tsx'
import { CoverageTable, RepeatsTable } from './coverage.tsx'
import { DropoutFigure, dropoutOf } from './dropout.tsx'
import { namedJudges, type NamedJudges } from './named-judges.ts'
import { KinshipFigure, LeniencyFigure } from './leaning.tsx'
import { DividedInstances, SplitAnswers } from './split-answers.tsx'
import { verdictOf } from './verdict.ts'

/** judges.html and, where there are several suites, judges/….html: whether a jury can be believed. Needs no script. */
export const judgesPage: SitePage = {
  label: 'Judges',
  path: 'judges.html',
  isIn: (suites) => suites.some((suite) => (suite.judges ?? []).length > 0 || dropoutOf(suite).length > 0),
  files: (site) =>
    site.suites.map((suite) => ({
      path: suitePath('judges', site.suites, suite.board.suite),
      text: judgesOf(suite, site),
    })),
}

const judgesOf = (suite: SiteSuite, { suites, navigation }: SiteView): string => {
  const { board } = suite
  const path = suitePath('judges', suites, board.suite)
  const judges = namedJudges(suite)
  return renderPage({
    title: `Judges: ${board.suite}`,
    root: rootOf(path),
    navigation,
    here: judgesPage.path,
    trail: [],
    children: (
      <>
        <SuiteSwitch page="judges" suites={suites} suite={board.suite} />
        <h1>Judges</h1>
        {judges.length === 0 ? (
          <p>
            {dropoutOf(suite).length === 0
              ? 'No benchmark of this suite has a jury of several judges whose judgements are at hand.'
              : 'Single judgements are not at hand here: the scores without each judge are.'}
          </p>
        ) : (
          <Report suite={suite} judges={judges} root={rootOf(path)} />
        )}
        <DropoutFigure suite={suite} root={rootOf(path)} />
      </>
    ),
  })
}

export interface JudgesProps {
  readonly judges: readonly NamedJudges[]
  readonly root: string
}

const Report = ({ suite, judges, root }: JudgesProps & { readonly suite: SiteSuite }): JSX.Element => (
  <>
    <p class="standfirst">{verdictOf(judges)}</p>
    <AgreementFigure judges={judges} root={root} />
    <PairsTable judges={judges} root={root} />
    <LeniencyFigure judges={judges} root={root} />
    <KinshipFigure judges={judges} root={root} />
    <ClinicianTables suite={suite} judges={judges} root={root} />
    <div class="beside">
      <SplitAnswers suite={suite} judges={judges} root={root} />
      <DividedInstances suite={suite} judges={judges} root={root} />
    </div>
    <CoverageTable judges={judges} root={root} />
    <RepeatsTable judges={judges} root={root} />
  </>
)
