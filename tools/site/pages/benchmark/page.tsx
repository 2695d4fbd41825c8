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
import { Hardest } from './hardest.tsx'
import { DividedInstances } from '../judges/divided-instances.tsx'
import { AllMetrics } from './metrics.tsx'
import { Pairs } from './pairs.tsx'
import { Results, type Result } from './results.tsx'
import { BySubgroup } from './subgroups.tsx'
import { ModelLink } from '../../components/links.tsx'

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
