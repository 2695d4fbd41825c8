/** A model as cost and quality place it. */
export interface Priced {
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
