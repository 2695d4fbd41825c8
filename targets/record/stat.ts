/** Which stat this is (HELM.md T15). */
export interface StatName {
  readonly name: string
  readonly split?: string
  readonly subSplit?: string
  readonly perturbation?: Perturbation
}

/** Only the two worst-case variants occur: no MedHELM run perturbs its instances. */
export interface Perturbation {
  readonly name: 'robustness' | 'fairness'
  readonly robustness: boolean
  readonly fairness: boolean
  readonly computedOn: 'worst'
}

/** HELM's Stat. Undefined min … stddev: nothing was added. `float` tells Python's type of sum, sumSquared, min and max. */
export interface Stat {
  readonly name: StatName
  readonly count: number
  readonly sum: number
  readonly sumSquared: number
  readonly min?: number
  readonly max?: number
  readonly mean?: number
  /** HELM clamps a negative variance to the int 0: `varianceIsInt`. */
  readonly variance?: number
  readonly varianceIsInt?: boolean
  readonly stddev?: number
  readonly float: boolean
}

/** Values of one metric object for one instance: an element of per_instance_stats.json. */
export interface PerInstanceStats {
  readonly instanceId: string | number
  readonly trainTrialIndex: number
  readonly stats: readonly Stat[]
}
