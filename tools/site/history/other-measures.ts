import type { Snapshot, SnapshotBenchmark } from './snapshot.ts'

/** A benchmark that two releases measure by another metric, or on another scale: its scores are no change of each other. */
export interface OtherMeasure {
  readonly name: string
  readonly label: string
  readonly before: string
  readonly now: string
}

export const otherMeasures = (before: Snapshot, now: Snapshot): readonly OtherMeasure[] =>
  now.benchmarks.flatMap((own) => {
    const earlier = before.benchmarks.find(({ name }) => name === own.name)
    return earlier === undefined || isSame(earlier, own)
      ? []
      : [{ name: own.name, label: own.label, before: wordsOf(earlier), now: wordsOf(own) }]
  })

/** As far as both files tell: older ones name no metric. */
const isSame = (a: SnapshotBenchmark, b: SnapshotBenchmark): boolean =>
  a.measure === undefined || b.measure === undefined
    ? a.width === b.width &&
      (a.lowerIsBetter === undefined || b.lowerIsBetter === undefined || a.lowerIsBetter === b.lowerIsBetter)
    : a.measure === b.measure

const wordsOf = ({ measure, width, lowerIsBetter }: SnapshotBenchmark): string =>
  measure ??
  `${width === null ? 'without ends' : `a scale of ${width}`}${lowerIsBetter === true ? ', less is better' : ''}`
