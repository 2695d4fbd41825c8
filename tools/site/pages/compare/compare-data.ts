import type { ShownBenchmark, ShownMetric } from '../../content/shown-benchmark.ts'

/** What can be compared in a suite: loaded by the page, with the addresses of what it loads then. */
export interface CompareData {
  /** In the board's order. */
  readonly models: readonly CompareModel[]
  /** In the board's order. */
  readonly benchmarks: readonly ShownBenchmark[]
  /** Runs whose values are at hand, as `ModelValues` have them. */
  readonly scenarios: readonly CompareScenario[]
  /** Key of the chunk of sources; absent without values. */
  readonly sources?: string
  /** Runs of public benchmarks, whose answers lie beside their pages. */
  readonly tasks: readonly CompareTask[]
}

interface CompareModel {
  /** The deployment. */
  readonly key: string
  readonly label: string
  /** From the site's root. */
  readonly href: string
  /** Key of the chunk of its values. */
  readonly values: string
  readonly usdPerThousand: number | null
  /** Seconds of a call. */
  readonly latency: number | null
  /** Places of the benchmarks that it is not ranked in. */
  readonly unranked: readonly number[]
}

export interface CompareScenario {
  /** The runs' name without the model. */
  readonly key: string
  readonly label: string
  /** Place among the benchmarks. */
  readonly benchmark: number
  /** Places of the models whose run is under its floor. */
  readonly unranked: readonly number[]
  /** By model, true where values are means over several trials; absent where none are. */
  readonly areMeans?: readonly boolean[]
}

/** Runs that ask the same of several models. */
export interface CompareTask extends ShownMetric {
  /** The runs' name without the model. */
  readonly key: string
  readonly label: string
  readonly runs: readonly CompareItem[]
}

interface CompareItem {
  /** Place among the models. */
  readonly model: number
  /** Address of the run's page below the site's root; its chunks lie in the folder of the same name. */
  readonly page: string
}
