/** What the page of a release tells: plain JSON, from release.json's own fields. */
export interface ReleaseNotes {
  readonly release: string
  /** Of medmake. */
  readonly version: string
  readonly profile: string
  readonly suites: readonly string[]
  /** `YYYY-MM-DD` of the newest model call. */
  readonly date: string
  readonly benchmarks: readonly {
    readonly name: string
    readonly access: string
    /** Of all that decides its instances. */
    readonly digest: string
    /** Of the judges' rubric. */
    readonly judgePrompt: string | null
  }[]
  readonly errata: readonly {
    readonly benchmark: string
    readonly id: string
    readonly about: string
    /** Runs that put it right, of all of the benchmark. */
    readonly corrected: number
    readonly runs: number
  }[]
  readonly datasets: readonly { readonly url: string; readonly sha256: string }[]
  readonly runs: readonly {
    readonly name: string
    readonly deployment: string
    /** What the provider was asked for, and what it said that it served. */
    readonly modelString: string
    readonly served: readonly string[]
    /** Digest of all that decides the run's record. */
    readonly target: string
    /** Replies that were taken from published files, not asked for; absent where there are none. */
    readonly imported?: { readonly answers: number; readonly judgements: number }
  }[]
  readonly withheld: readonly {
    readonly run: string
    readonly reason: string
    readonly suppressedStats: number
  }[]
  readonly includedText: readonly string[]
}

/** The day of the newest model call in words; releases of models that no server answers for hold the first of all days. */
export const newestCallText = (date: string): string => (date === '1970-01-01' ? 'none' : date)
