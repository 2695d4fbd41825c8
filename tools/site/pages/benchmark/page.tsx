import type { JSX } from 'preact'
import { isThere } from '../../../../targets/board/board-cell.ts'
import type { Board } from '../../../../targets/board/board.ts'
import type { BoardBenchmark } from '../../../../targets/runs/board-run.ts'
import { Verbatim } from '../../components/text/shown-text.tsx'
import { renderPage } from '../../emit/document.tsx'
import { scaleOf } from '../../content/scale.ts'
import { subgroupsPath } from '../../paths.ts'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'
import { Prose } from '../../components/prose.tsx'
import type { InstancesFrame } from '../run/page.tsx'
import { AboutFacts, Data, Errata, Jury } from './about.tsx'
import { DividedInstances } from '../judges/divided-instances.tsx'
import { Pairs } from './pairs.tsx'
import { Results, type Result } from './results.tsx'
import { BySubgroup } from './subgroups.tsx'
import { ModelLink, InstanceLink } from '../../components/links.tsx'
import type { ShownMeasure } from '../../about/benchmark-about.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactMeasured, exactValue } from '../../components/exact.tsx'
import { allOf, formatCount, plural } from '../../../../cache/words/number-text.ts'
import { inWords } from '../../content/metric-label.ts'
import { hardInstances } from '../../../../targets/board/hard-instances.ts'
import { isShown } from '../../../../targets/access/suppress-small.ts'

/**
 * benchmarks/….html: what is measured, every model's result, and how these differ.
 * @param prompt a prompt as a model got it; only for public benchmarks
 */
export const benchmarkPage = (
  suite: SiteSuite,
  benchmark: BoardBenchmark,
  { prompt, frame }: { readonly prompt: string | undefined; readonly frame: InstancesFrame },
): string => {
  const { board, pairs = [], benchmarks = [], subgroups = [], judges = [] } = suite
  const results = resultsOf(board, benchmark)
  const scale = scaleOf(
    benchmark.mainMetric,
    results.map(({ cell }) => cell),
  )
  const about = benchmarks.find((each) => each.benchmark === benchmark.name)
  const compared = pairs.find((each) => each.benchmark === benchmark.name)
  const linkOf = (deployment: string): JSX.Element => (
    <ModelLink board={board} deployment={deployment} root="../" />
  )
  return renderPage({
    title: benchmark.displayName,
    root: '../',
    navigation: frame.navigation,
    trail: [{ label: board.suite, href: `../${frame.board}` }],
    children: (
      <>
        <h1>{visibleText(benchmark.displayName)}</h1>
        <Prose text={benchmark.description} />
        <AboutFacts benchmark={benchmark} about={about} />
        <h2 id="results">Results</h2>
        <Results suite={board.suite} results={results} scale={scale} />
        {compared === undefined ? null : <Pairs pairs={compared} linkOf={linkOf} />}
        <BySubgroup
          subgroups={subgroups.filter((each) => each.benchmark === benchmark.name)}
          linkOf={linkOf}
          scale={scale}
          file={`../${subgroupsPath(board.suite)}`}
        />
        <div class="beside">
          <Hardest suite={suite} benchmark={benchmark} />
          <DividedInstances
            title="Where judges differ most"
            label="Where judges differ most"
            suite={board.suite}
            judges={judges.filter((each) => each.column === benchmark.name)}
            root="../"
            most={10}
          />
          <Errata errata={about?.errata ?? []} />
          {about?.jury === undefined ? null : <Jury jury={about.jury} />}
        </div>
        {prompt === undefined ? null : (
          <details>
            <summary>A prompt</summary>
            <Verbatim text={prompt} />
          </details>
        )}
        <Data data={about?.data ?? []} />
        <AllMetrics results={results} measures={about?.measures ?? []} />
      </>
    ),
  })
}

const resultsOf = ({ rows, benchmarks }: Board, benchmark: BoardBenchmark): readonly Result[] => {
  const column = benchmarks.indexOf(benchmark)
  return rows.flatMap((row) => {
    const cell = row.cells[column]
    return cell === undefined || !isThere(cell) ? [] : [{ row, cell }]
  })
}

interface AllMetricsProps {
  readonly results: readonly Result[]
  readonly measures: readonly ShownMeasure[]
}

/** Every other number of the main metric's split: what it is, and what each model has. */
const AllMetrics = ({ results, measures }: AllMetricsProps): JSX.Element | null => {
  const names = [...new Set(results.flatMap(({ cell }) => cell.metrics.map(({ name }) => name)))]
  return names.length === 0 ? null : (
    <details id="metrics">
      <summary>{allOf(names.length, 'metric')}</summary>
      <DataTable
        label="All metrics"
        head={[
          'Metric',
          ...(measures.length === 0 ? [] : ['Unit', 'Better', 'Defined by']),
          ...numeric(...results.map(({ row }) => visibleText(row.label))),
        ]}
        rows={names.map((name) => [
          nameOf(name, measures),
          ...(measures.length === 0 ? [] : definitionOf(measures.find((each) => each.name === name))),
          ...results.map(({ cell }) => {
            const found = cell.metrics.find((metric) => metric.name === name)
            return found === undefined
              ? '–'
              : exactMeasured(found.value, measureOf(name, measures)?.unit === 'count')
          }),
        ])}
      />
    </details>
  )
}

const measureOf = (name: string, measures: readonly ShownMeasure[]): ShownMeasure | undefined =>
  measures.find((each) => each.name === name)

const nameOf = (name: string, measures: readonly ShownMeasure[]): string =>
  visibleText(measureOf(name, measures)?.displayName ?? inWords(name))

const definitionOf = (measure: ShownMeasure | undefined): readonly string[] => {
  if (measure === undefined) return ['–', '–', '–']
  const { unit, least, most, better, source, version } = measure
  const range = `${least === null ? '−∞' : least} to ${most === null ? '∞' : most}`
  return [`${unit}, ${range}`, better === 'neither' ? '–' : better, `${source}, version ${version}`]
}

const LISTED = 10

/** The instances that models fail most; of restricted benchmarks only how many. Nothing for one model alone. */
const Hardest = ({
  suite: { board, values = [], runs },
  benchmark,
}: {
  readonly suite: SiteSuite
  readonly benchmark: BoardBenchmark
}): JSX.Element | null => {
  const order = new Map(board.rows.map(({ model }, row) => [model.deployment, row]))
  const own = values
    .filter((each) => each.benchmark === benchmark.name)
    .toSorted((a, b) => (order.get(a.deployment) ?? 0) - (order.get(b.deployment) ?? 0))
  if (new Set(own.map(({ deployment }) => deployment)).size < 2) return null
  const { instances, unsolved, hardest } = hardInstances(own, benchmark.mainMetric, LISTED)
  const hasPage = (run: string): boolean =>
    runs.some(({ facts, instances: open }) => facts.name === run && open !== undefined)
  return (
    <section>
      <h2>The hardest instances</h2>
      {unsolved === null ? null : (
        <p>
          {unsolved === 0
            ? `Some model was right on each of ${plural(instances, 'instance')}.`
            : `No model was right on ${formatCount(unsolved)} of ${plural(instances, 'instance')}.`}
        </p>
      )}
      {isShown(benchmark) ? (
        <DataTable
          label="The hardest instances"
          head={['Instance', ...numeric('Mean over models', 'Best', 'Models')]}
          rows={hardest.map(({ run, id, mean, best, models }) => [
            <InstanceLink
              suite={board.suite}
              run={hasPage(run) ? run : undefined}
              instance={id}
              root="../"
            />,
            exactValue(mean),
            exactValue(best),
            formatCount(models),
          ])}
        />
      ) : (
        <p class="detail">Which ones is not told: the benchmark is {benchmark.access}.</p>
      )}
    </section>
  )
}
