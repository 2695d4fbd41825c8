import type { Scale } from '../../../../targets/statistics/scale.ts'

/** What can be compared in a suite: loaded by the page, with the addresses of what it loads then. */
export interface CompareData {
  /** In the board's order. */
  readonly models: readonly { readonly key: string; readonly label: string }[]
  readonly tasks: readonly CompareTask[]
}

/** Runs that ask the same of several models. */
export interface CompareTask {
  /** The runs' name without the model. */
  readonly key: string
  readonly label: string
  /** Name of the metric, and whether its values are 0 or 1 by definition. */
  readonly metric: string
  readonly isBinary: boolean
  /** Ends of its scale; absent where one is open. */
  readonly range?: Scale
  /** Absent where nobody says what is better. */
  readonly lowerIsBetter?: boolean
  readonly runs: readonly CompareRun[]
}

export interface CompareRun {
  /** Place among the models. */
  readonly model: number
  /** Address of the run's page below the site's root; its chunks lie in the folder of the same name. */
  readonly page: string
}
