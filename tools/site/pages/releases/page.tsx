import type { JSX } from 'preact'
import { distinct } from '../../downloads/shown-table.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { diffReleases, type ReleaseDiff } from '../../history/diff-releases.ts'
import { makeSnapshot } from '../../history/make-snapshot.ts'
import type { EarlierRelease, Snapshot } from '../../history/snapshot.ts'
import { benchmarkPath, modelPath } from '../../paths.ts'
import { listText, plural } from '../../../../cache/words/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { suitePage } from '../suite-page.tsx'
import { Slope } from './slope.tsx'
import { CellsTable, ConditionsTable, MovedTable, PartsTable, rateOf } from './tables.tsx'
import { verdictOf } from './verdict.ts'
import { isShown } from '../../../../targets/access/suppress-small.ts'
import { ALPHA } from '../../../../targets/statistics/scale.ts'

/** releases.html and, where there are several suites, …: what moved since the release before, and why. Needs no script. */
export const releasesPage = suitePage({
  page: 'releases',
  label: 'Releases',
  isIn: (suites) => suites.some(({ history = [] }) => history.length > 0),
  content: (suite, root) => {
    const { board, history = [] } = suite
    const links: ReleaseLinks = {
      model: (deployment) => root + modelPath(board.suite, deployment),
      benchmark: (name) => root + benchmarkPath(board.suite, name),
    }
    const now = makeSnapshot(suite, () => true)
    const last = history.at(-1)
    const isClosed = (name: string): boolean =>
      board.benchmarks.some((benchmark) => benchmark.name === name && !isShown(benchmark))
    return (
      <>
        <h1>Releases</h1>
        {last === undefined ? (
          <p>No earlier release of this suite was given.</p>
        ) : (
          <Report
            history={history}
            now={now}
            diff={diffReleases(last.snapshot, now, isClosed)}
            links={links}
          />
        )}
      </>
    )
  },
})

/** Links of the page. */
export interface ReleaseLinks {
  readonly model: (deployment: string) => string
  readonly benchmark: (name: string) => string
}

interface ReportProps {
  readonly history: readonly EarlierRelease[]
  readonly now: Snapshot
  readonly diff: ReleaseDiff
  readonly links: ReleaseLinks
}

const Report = ({ history, now, diff, links }: ReportProps): JSX.Element => {
  // Folders may share a name.
  const releases = distinct([
    ...history.map(({ label }) => visibleText(label)),
    visibleText(now.release || 'now'),
  ])
  const before = releases.at(-2) ?? ''
  const tested = diff.cells.filter(({ holm }) => holm !== null)
  const sure = tested.filter(({ holm }) => (holm ?? 1) < ALPHA)
  const others = diff.cells.filter((cell) => !sure.includes(cell) && cell.way !== 'same')
  const same = diff.cells.length - sure.length - others.length
  return (
    <>
      <p class="standfirst">{verdictOf(diff, before)}</p>
      <h2 id="places">Places, {releases.join(' → ')}</h2>
      <Places history={history} now={now} diff={diff} links={links} releases={releases} />
      <h2 id="moved">What moved since {before}</h2>
      <p>
        Win rates compare the models of their own release, on as many of its benchmarks as stand behind them
        where a model is not ranked in all. Beside each model stands on how many of its benchmarks data,
        protocol, profile, jury, model version or errata were not the same; where several differ, none is
        known to be the cause alone.
      </p>
      <MovedTable diff={diff} links={links} />
      <PartsTable diff={diff} links={links} />
      <h2 id="cells">Scores that changed beyond noise</h2>
      <p>
        Paired: the difference on the instances that both were asked, by the test of{' '}
        <code>medmake compare</code> and <code>ci</code>; what could not be read is bounded. Unpaired: both
        scores are taken as independent, which misses changes more often than it makes them up. p (Holm) is
        over {plural(tested.length, 'score')} tested.
        {same === 0 ? null : ` ${plural(same, 'score stands', 'scores stand')} on the same answers.`}
        {diff.otherMeasures.length === 0
          ? null
          : ` Left out, as their metric or its scale is another one now: ${listText(diff.otherMeasures.map(({ label }) => visibleText(label)))}.`}
      </p>
      {sure.length === 0 ? (
        <p>{tested.length === 0 ? 'None was tested.' : 'None did.'}</p>
      ) : (
        <CellsTable cells={sure} now={now} links={links} label="Scores that changed beyond noise" />
      )}
      {others.length === 0 ? null : (
        <details>
          <summary>The next {Math.min(NEXT, others.length)} by p</summary>
          <CellsTable cells={others.slice(0, NEXT)} now={now} links={links} label="Further scores" />
        </details>
      )}
      <h2 id="conditions">What was not the same</h2>
      <ConditionsTable diff={diff} now={now} links={links} />
      {diff.areProtocolsKnown ? null : (
        <p class="note">
          {before} was written by an older version: whether protocols, profiles or the judges’ models differ
          is not known.
        </p>
      )}
      <Trend history={history} now={now} links={links} releases={releases} />
    </>
  )
}

const NEXT = 20

const Places = ({
  history,
  now,
  diff,
  links,
  releases,
}: ReportProps & { readonly releases: readonly string[] }): JSX.Element => {
  const lines = allModels(history, now).map(({ deployment, label, isNow }) => {
    const places = [...history.map(({ snapshot }) => snapshot), now].map((each) => placeIn(each, deployment))
    const [before, place] = [places.at(-2) ?? null, places.at(-1) ?? null]
    return {
      label: visibleText(label),
      href: isNow ? links.model(deployment) : undefined,
      places,
      isNew:
        isNow && diff.moved.some((each) => each.now.deployment === deployment && each.before === undefined),
      isMoved: before !== null && place !== null && Math.abs(before - place) > 1,
    }
  })
  const placed = lines.filter(({ places }) => places.some((place) => place !== null))
  return placed.length === 0 ? (
    <p>No model has a place in any of them: no two are compared in full.</p>
  ) : (
    <figure>
      <Slope lines={placed} releases={releases} />
      <figcaption>
        Thick: moved by two places or more. Models that are not measured in full have no place.
      </figcaption>
    </figure>
  )
}

/** Those of now, then those that only earlier releases have, the last ones first. */
const allModels = (
  history: readonly EarlierRelease[],
  now: Snapshot,
): readonly { readonly deployment: string; readonly label: string; readonly isNow: boolean }[] => {
  const current = new Set(now.models.map(({ deployment }) => deployment))
  const all = [now, ...history.map(({ snapshot }) => snapshot).toReversed()].flatMap(({ models }) => models)
  const known = new Map(all.toReversed().map((model) => [model.deployment, model.label]))
  return [...new Set(all.map(({ deployment }) => deployment))].map((deployment) => ({
    deployment,
    label: known.get(deployment) ?? deployment,
    isNow: current.has(deployment),
  }))
}

const placeIn = ({ models }: Snapshot, deployment: string): number | null =>
  models.find((model) => model.deployment === deployment)?.place ?? null

const Trend = ({
  history,
  now,
  links,
  releases,
}: Omit<ReportProps, 'diff'> & { readonly releases: readonly string[] }): JSX.Element => (
  <>
    <h2 id="trend">Win rates of all releases</h2>
    <DataTable
      label="Win rates of all releases"
      head={['Model', ...numeric(...releases)]}
      rows={allModels(history, now).map(({ deployment, label, isNow }) => [
        isNow ? <a href={links.model(deployment)}>{visibleText(label)}</a> : visibleText(label),
        ...[...history.map(({ snapshot }) => snapshot), now].map((release) => {
          const own = release.models.find((model) => model.deployment === deployment)
          return own === undefined ? '–' : rateOf(release, own)
        }),
      ])}
    />
  </>
)
