import type { JSX } from 'preact'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { Facts } from '../../components/facts.tsx'
import { renderPage } from '../../emit/document.tsx'
import { formatCount, plural } from '../../../../cache/words/number-text.ts'
import { rootOf, suitePath } from '../../paths.ts'
import { newestCallText, type ReleaseNotes } from '../../about/release-notes.ts'
import type { SitePage, SiteView } from '../../site-page.ts'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'

/** release.html: what a release is made of, what is wrong with it, and how to build it again. */
export const releasePage: SitePage = {
  label: 'Release notes',
  path: 'release.html',
  isIn: (suites) => suites.some(({ release }) => release !== undefined),
  files: (site) =>
    site.suites.flatMap((suite) =>
      suite.release === undefined
        ? []
        : [
            {
              path: suitePath('release', site.suites, suite.board.suite),
              text: pageOf(suite, suite.release, site),
            },
          ],
    ),
}

const pageOf = ({ board }: SiteSuite, notes: ReleaseNotes, { suites, navigation }: SiteView): string => {
  const path = suitePath('release', suites, board.suite)
  return renderPage({
    title: `Release notes: ${notes.release}`,
    root: rootOf(path),
    navigation,
    here: releasePage.path,
    trail: [],
    children: (
      <>
        <h1>Release {visibleText(notes.release)}</h1>
        <Facts
          items={[
            ['Suites', visibleText(notes.suites.join(', '))],
            ['Newest model call', newestCallText(notes.date)],
            ['Profile', notes.profile],
            ['Made with', `medmake ${notes.version}`],
            ['Runs', `${formatCount(notes.runs.length)} on ${plural(notes.benchmarks.length, 'benchmark')}`],
            [
              'Texts of restricted benchmarks',
              notes.includedText.length === 0 ? 'none' : visibleText(notes.includedText.join(', ')),
            ],
          ]}
        />
        <Again release={notes.release} />
        <Errata errata={notes.errata} />
        <Benchmarks notes={notes} />
        <Withheld withheld={notes.withheld} />
        <Imported runs={notes.runs} />
        <Runs runs={notes.runs} />
      </>
    ),
  })
}

const Again = ({ release }: { readonly release: string }): JSX.Element => (
  <>
    <h2>Build it again</h2>
    <p>
      The digest of this release stands in its file release.json, with those of all its files. Name it when
      you cite these numbers.
    </p>
    <Facts
      items={[
        ['Check all bytes', <code>medmake release verify {visibleText(release)}</code>],
        ['Score every reply anew', <code>medmake release reproduce {visibleText(release)}</code>],
        [
          'Ask another model the same',
          <code>medmake release reproduce {visibleText(release)} --model NAME</code>,
        ],
      ]}
    />
  </>
)

const Errata = ({ errata }: Pick<ReleaseNotes, 'errata'>): JSX.Element => (
  <>
    <h2>Errata</h2>
    {errata.length === 0 ? (
      <p>No fault of these benchmarks is known.</p>
    ) : (
      <DataTable
        label="Errata"
        head={['Benchmark', 'Erratum', 'What is wrong', 'Runs that put it right']}
        rows={errata.map(({ benchmark, id, about, corrected, runs }) => [
          visibleText(benchmark),
          visibleText(id),
          <span class="prose">{visibleText(about)}</span>,
          corrected === 0 ? 'none' : `${corrected} of ${runs}`,
        ])}
      />
    )}
  </>
)

const Benchmarks = ({ notes: { benchmarks, datasets } }: { readonly notes: ReleaseNotes }): JSX.Element => (
  <>
    <h2>Benchmarks and data</h2>
    <DataTable
      label="Benchmarks"
      head={['Benchmark', 'Access', 'Digest of its instances’ key', 'Digest of its rubric']}
      rows={benchmarks.map(({ name, access, digest, judgePrompt }) => [
        visibleText(name),
        access,
        <code>{digest}</code>,
        judgePrompt === null ? '–' : <code>{judgePrompt}</code>,
      ])}
    />
    {datasets.length === 0 ? null : (
      <DataTable
        label="Data sets recorded on first use"
        head={['Address', 'sha256']}
        rows={datasets.map(({ url, sha256 }) => [visibleText(url), <code>{sha256}</code>])}
      />
    )}
  </>
)

const Withheld = ({ withheld }: Pick<ReleaseNotes, 'withheld'>): JSX.Element | null =>
  withheld.length === 0 ? null : (
    <>
      <h2>Withheld</h2>
      <p>Of these runs the release holds aggregates only.</p>
      <DataTable
        label="Withheld"
        head={['Run', 'Why', ...numeric('Stats suppressed')]}
        rows={withheld.map(({ run, reason, suppressedStats }) => [
          visibleText(run),
          visibleText(reason),
          formatCount(suppressedStats),
        ])}
      />
    </>
  )

const Imported = ({ runs }: Pick<ReleaseNotes, 'runs'>): JSX.Element | null => {
  const rows = runs.flatMap(({ name, imported }) =>
    imported === undefined
      ? []
      : [[visibleText(name), formatCount(imported.answers), formatCount(imported.judgements)]],
  )
  return rows.length === 0 ? null : (
    <>
      <h2>Imported replies</h2>
      <p>These runs rest on replies that were taken from published files, not asked for by who made this.</p>
      <DataTable label="Imported replies" head={['Run', ...numeric('Answers', 'Judgements')]} rows={rows} />
    </>
  )
}

const Runs = ({ runs }: Pick<ReleaseNotes, 'runs'>): JSX.Element => (
  <>
    <h2>Runs</h2>
    <DataTable
      label="Runs"
      head={['Run', 'Deployment', 'Asked for', 'Served', 'Digest']}
      rows={runs.map(({ name, deployment, modelString, served, target }) => [
        visibleText(name),
        visibleText(deployment),
        visibleText(modelString),
        visibleText(served.join(', ')) || '–',
        <code>{target}</code>,
      ])}
    />
  </>
)
