import type { Snapshot, SnapshotModel } from './snapshot.ts'

/** ` (3/9)` behind a win rate that is over 3 of the 9 benchmarks that others are compared on; as far as the file tells. */
export const ratedOn = ({ benchmarks, models }: Snapshot, { cells, winRate }: SnapshotModel): string => {
  const isScored = (own: SnapshotModel['cells'], at: number): boolean => (own[at]?.score ?? null) !== null
  const compared = benchmarks.flatMap(({ lowerIsBetter }, at) =>
    lowerIsBetter !== undefined && models.filter((model) => isScored(model.cells, at)).length > 1 ? [at] : [],
  )
  const own = compared.filter((at) => isScored(cells, at)).length
  return winRate === null || own === compared.length ? '' : ` (${own}/${compared.length})`
}
