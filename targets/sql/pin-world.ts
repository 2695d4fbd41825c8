import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'

/**
 * The instant at which all statements run, in milliseconds of the Julian day: 2105-12-31 23:59 UTC, the "now" of
 * EHRSQL's questions about eICU. Half of the answerable gold queries ask for the current time; by the wall clock their
 * results, and so the scores, would change through the day (they do in HELM).
 */
const NOW = BigInt(2_440_587.5 * 86_400_000 + Date.UTC(2105, 11, 31, 23, 59))

/** Takes clock and chance from SQLite: `current_time` and `random()` give the same in every process. */
export const pinWorld = ({ capi, wasm }: Sqlite3Static): void => {
  const vfs = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null))
  vfs.installMethod('xCurrentTimeInt64', (_vfs: number, out: number) => {
    wasm.poke64(out, NOW)
    return 0
  })
  vfs.installMethod('xRandomness', (_vfs: number, size: number, out: number) => {
    wasm.heap8u().fill(0, out, out + size)
    return size
  })
}

/** Begins the random numbers anew, so that what a statement draws hangs on no statement before it. */
export const restartChance = ({ capi }: Sqlite3Static): void => {
  capi.sqlite3_randomness(0, 0)
}
