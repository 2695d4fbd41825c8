import type { JSX } from 'preact'
import { DataTable, type DataCell } from '../../components/data-table.tsx'
import { benchmarkPath } from '../../paths.ts'
import type { SiteSuite } from '../../site.ts'
import { suitePage } from '../suite-page.tsx'
import { visibleText } from '../../visible-text.ts'
import type { Taxonomy } from '../../../../benchmarks/taxonomy.ts'
import type { BoardBenchmark } from '../../../../targets/runs/board-run.ts'

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
    const others = unplaced(taxonomy, suite)
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

/** A subcategory, and the benchmarks that ask about it. */
interface Covered {
  readonly category: string
  readonly subcategory: string
  readonly tasks: readonly string[]
  /** On the board. */
  readonly run: readonly { readonly label: string; readonly path: string }[]
  /** Declared, but not on the board. */
  readonly others: readonly string[]
}

/** Subcategories in the taxonomy's order. */
const coverageOf = (
  { categories }: Taxonomy,
  { board, catalog = [] }: Pick<SiteSuite, 'board' | 'catalog'>,
): readonly Covered[] => {
  const onBoard = new Set(board.benchmarks.map(({ name }) => name))
  return categories.flatMap(({ name: category, subcategories }) =>
    subcategories.map(({ name: subcategory, tasks }) => ({
      category,
      subcategory,
      tasks,
      run: board.benchmarks
        .filter((each) => each.category === category && each.subcategory === subcategory)
        .map((each) => linkOf(board.suite, each)),
      others: catalog
        .filter(
          (each) => each.category === category && each.subcategory === subcategory && !onBoard.has(each.name),
        )
        .map(({ displayName }) => displayName),
    })),
  )
}

/** Benchmarks of the board that stand in no subcategory. */
const unplaced = ({ categories }: Taxonomy, { board }: Pick<SiteSuite, 'board'>): Covered['run'] =>
  board.benchmarks
    .filter(
      (each) =>
        !categories.some(
          ({ name, subcategories }) =>
            name === each.category && subcategories.some((sub) => sub.name === each.subcategory),
        ),
    )
    .map((each) => linkOf(board.suite, each))

const linkOf = (suite: string, { name, displayName }: BoardBenchmark): Covered['run'][number] => ({
  label: displayName,
  path: benchmarkPath(suite, name),
})
