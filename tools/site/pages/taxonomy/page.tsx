import type { JSX } from 'preact'
import { DataTable, type DataCell } from '../../components/data-table.tsx'
import { suitePage } from '../suite-page.tsx'
import { visibleText } from '../../visible-text.ts'
import { coverageOf, unplaced, type Covered } from './coverage.ts'

/** taxonomy.html: the medical work there is, what of it a suite asks about, and what it leaves out. */
export const taxonomyPage = suitePage({
  page: 'taxonomy',
  label: 'Taxonomy',
  isIn: (suites) => suites.some(({ taxonomy }) => taxonomy !== undefined),
  content: (suite, root) => {
    const { board, taxonomy = { categories: [] } } = suite
    const coverage = coverageOf(taxonomy, suite)
    const covered = coverage.filter(({ run }) => run.length > 0)
    const open = coverage.filter(({ run }) => run.length === 0)
    const others = unplaced(coverage, suite)
    return (
      <>
        <h1>{visibleText(board.suite)}, what it covers</h1>
        <p class="standfirst">
          {covered.length} of {coverage.length} subcategories of medical work are asked about here.
        </p>
        {covered.length === 0 ? null : (
          <CoverageTable label="Medical work, and what is asked about it" coverage={covered} root={root} />
        )}
        {open.length === 0 ? null : (
          <>
            <h2>Not covered</h2>
            <p>Nothing here tells how models do this work.</p>
            <CoverageTable label="Medical work that nothing is asked about" coverage={open} root={root} />
          </>
        )}
        {others.length === 0 ? null : (
          <>
            <h2>Elsewhere</h2>
            <p>Benchmarks that name no subcategory of the taxonomy.</p>
            <Benchmarks benchmarks={others} root={root} />
          </>
        )}
      </>
    )
  },
})

/** A column that no row fills is left out. */
const CoverageTable = ({
  label,
  coverage,
  root,
}: {
  readonly label: string
  readonly coverage: readonly Covered[]
  readonly root: string
}): JSX.Element => (
  <DataTable
    label={label}
    groups="Category"
    head={['Subcategory', 'Asked about here', 'Not run here', 'Tasks']}
    rows={coverage.flatMap(
      ({ category, subcategory, run, others, tasks }, at): readonly (readonly DataCell[])[] => [
        ...(coverage[at - 1]?.category === category ? [] : [[visibleText(category)]]),
        [
          <span class="whole">{visibleText(subcategory)}</span>,
          run.length === 0 ? '–' : <Benchmarks benchmarks={run} root={root} />,
          <span class="prose">{visibleText(others.join(', ')) || '–'}</span>,
          tasks.length === 0 ? '–' : <span class="prose">{visibleText(tasks.join(', '))}</span>,
        ],
      ],
    )}
  />
)

const Benchmarks = ({
  benchmarks,
  root,
}: {
  readonly benchmarks: Covered['run']
  readonly root: string
}): JSX.Element => (
  <ul class="links">
    {benchmarks.map(({ label, path }) => (
      <li key={path}>
        <a href={root + path}>{visibleText(label)}</a>
      </li>
    ))}
  </ul>
)
