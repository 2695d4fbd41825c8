import type { BoardBenchmark } from '../../../targets/runs/board-run.ts'
import { OTHER } from '../../../targets/analysis/score-table.ts'
import { defined } from '../../../cache/values/defined.ts'
import type { Scale } from '../../../targets/statistics/scale.ts'
import { benchmarkPath } from '../paths.ts'
import { visibleText } from '../visible-text.ts'

/** What a metric's values say, as a page's script knows it. */
export interface ShownMetric {
  readonly metric: string
  /** Whether its values are 0 or 1 by definition. */
  readonly isBinary: boolean
  /** Ends of its declared scale; absent where one is open. */
  readonly range?: Scale
  /** Absent where nobody says what is better. */
  readonly lowerIsBetter?: boolean
}

/** A benchmark as a page's script knows it. */
export interface ShownBenchmark extends ShownMetric {
  readonly label: string
  /** From the site's root. */
  readonly href: string
  readonly category: string
  readonly access: string
}

export const shownMetric = ({ mainMetric }: Pick<BoardBenchmark, 'mainMetric'>): ShownMetric =>
  defined({
    metric: visibleText(mainMetric.displayName),
    isBinary: mainMetric.isBinary,
    range: mainMetric.range,
    lowerIsBetter: mainMetric.lowerIsBetter,
  })

export const shownBenchmark = (suite: string, benchmark: BoardBenchmark): ShownBenchmark => ({
  label: visibleText(benchmark.displayName),
  category: visibleText(benchmark.category ?? OTHER),
  href: benchmarkPath(suite, benchmark.name),
  access: benchmark.access,
  ...shownMetric(benchmark),
})
