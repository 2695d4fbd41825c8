import type { Snapshot, SnapshotCell } from '../../../../tools/site/history/snapshot.ts'

export type SnapshotModel = Snapshot['models'][number]

export const cellOf = (score: number | null, more: Partial<SnapshotCell> = {}): SnapshotCell => ({
  score,
  interval: null,
  n: 9,
  data: 'd',
  protocol: 'p',
  jury: [],
  served: [],
  errata: [],
  ...more,
})

/** Without a place, a win rate and a price, unless given. */
export const modelOf = (
  deployment: string,
  cells: readonly (SnapshotCell | null)[],
  more: Partial<SnapshotModel> = {},
): SnapshotModel => ({
  deployment,
  label: deployment.toUpperCase(),
  place: null,
  winRate: null,
  interval: null,
  price: null,
  cells: [...cells],
  ...more,
})

/** Of benchmarks on which more is better. */
export const snapshotOf = (
  benchmarks: readonly string[],
  models: readonly SnapshotModel[],
  version: Snapshot['version'] = 2,
): Snapshot => ({
  version,
  suite: 's',
  release: '',
  benchmarks: benchmarks.map((name) => ({
    name,
    label: name.toUpperCase(),
    width: 1,
    lowerIsBetter: false,
  })),
  models: [...models],
})
