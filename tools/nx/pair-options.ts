/** Options of targets that all executors read. */
export interface PairOptions {
  /** Token of the store, left there for the next graph. */
  readonly store?: string
  /** Suites that the plugin was told to take; absent: all of the workspace. */
  readonly suites?: readonly string[]
}
