import type { BoardView, RowView } from '../leaderboard/board/board-view.ts'
import { costOf, isPerThousand, latencyOf } from '../leaderboard/tie.ts'
import {
  formatCost,
  formatCount,
  formatLack,
  formatSeconds,
  formatTokens,
} from '../../../../cache/words/number-text.ts'

/** What quality is held against. */
export interface FrontAxis {
  readonly key: string
  readonly name: string
  readonly of: (row: RowView, view: BoardView) => number | null
  readonly text: (value: number) => string
  /** A tick with all of its few digits: rounded as a value is $0.015 would stand at $0.02, beside another one. */
  readonly tick: (value: number) => string
  readonly title: (view: BoardView) => string
}

const tickDigits = (tick: number): string =>
  tick < 1000 ? String(Number(tick.toPrecision(3))) : formatCount(tick)

export const FRONT_AXES: readonly FrontAxis[] = [
  {
    key: 'cost',
    name: 'Cost',
    of: costOf,
    text: formatCost,
    tick: (usd) => `$${tickDigits(usd)}`,
    title: (view) =>
      isPerThousand(view) ? 'Cost of 1,000 answers, US dollars' : 'Cost of all answers, US dollars',
  },
  {
    key: 'latency',
    name: 'Latency',
    of: latencyOf,
    text: formatSeconds,
    tick: (seconds) => `${tickDigits(seconds)} s`,
    title: () => 'Seconds an answer',
  },
  {
    key: 'tokens',
    name: 'Tokens written',
    of: tokensOf,
    text: formatTokens,
    tick: (tokens) => (tokens < 1000 ? tickDigits(tokens) : formatTokens(tokens)),
    title: () => 'Tokens written an answer',
  },
  {
    key: 'failed',
    name: 'Failures',
    of: ({ failed }) => failed,
    text: formatLack,
    tick: (share) => `${tickDigits(100 * share)} %`,
    title: () => 'Share of requests without a score',
  },
]

/** Of replies, as cost is: a request that failed has none, equal ones share one. */
function tokensOf({ spent }: RowView): number | null {
  return spent === 0 || !spent[4] || spent[5] === 0 ? null : spent[4] / spent[5]
}

/** A model on the plane; `usd` is what it takes, whatever the axis says. */
interface FrontPoint extends Priced {
  readonly row: RowView
}

/** Those with a win rate and a known value, and those of the front among them: ranked, and none with as high a win rate for less. */
export const frontPoints = (
  view: BoardView,
  axis: FrontAxis,
): {
  readonly points: readonly FrontPoint[]
  readonly front: readonly FrontPoint[]
  readonly unknown: readonly RowView[]
} => {
  const points = view.all.flatMap((row): readonly FrontPoint[] => {
    const value = axis.of(row, view)
    return value === null || row.winRate === null ? [] : [{ row, usd: value, winRate: row.winRate }]
  })
  return {
    points,
    front: paretoFront(points.filter(({ row }) => row.place !== null)),
    unknown: view.all.filter((row) => !points.some((point) => point.row === row)),
  }
}

/** A model as cost and quality place it. */
interface Priced {
  readonly usd: number
  readonly winRate: number
}

/** Sums of thirds that are equal can differ in their last digit. */
const SAME = 1e-9

/** Those that no other one beats at the same price or less, cheapest first. Of equals all are on the front. */
export const paretoFront = <Point extends Priced>(points: readonly Point[]): readonly Point[] =>
  points
    .filter(
      (point) =>
        !points.some(
          (other) =>
            other.usd <= point.usd &&
            other.winRate >= point.winRate - SAME &&
            (other.usd < point.usd || other.winRate > point.winRate + SAME),
        ),
    )
    .toSorted((a, b) => a.usd - b.usd)
