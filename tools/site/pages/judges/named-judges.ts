import { scenarioLabel } from '../../content/scenario-label.ts'
import type { SiteJudges } from '../../content/stored-judges.ts'
import { benchmarkPath } from '../../paths.ts'
import type { SiteSuite } from '../../site.ts'

/** A benchmark's judges with the name and the page of the benchmark. */
export interface NamedJudges extends SiteJudges {
  readonly label: string
  /** From the site's root. */
  readonly href: string
}

export const namedJudges = ({ board, judges = [] }: SiteSuite): readonly NamedJudges[] =>
  judges.map((each) => ({
    ...each,
    label: benchmarkLabel(board.benchmarks, each),
    href: benchmarkPath(board.suite, each.column),
  }))

/** The benchmark's name, with the arguments that a run of it was given. */
export const benchmarkLabel = (
  benchmarks: SiteSuite['board']['benchmarks'],
  { benchmark, column }: Pick<SiteJudges, 'benchmark' | 'column'>,
): string => scenarioLabel(benchmarks.find((each) => each.name === column)?.displayName ?? column, benchmark)
