/** What is read of an element of per_instance_stats.json, ours or HELM's. */
export interface InstanceValues {
  readonly instanceId: string | number
  readonly trainTrialIndex: number
  readonly stats: readonly {
    readonly name: {
      readonly name: string
      readonly split?: string
      readonly subSplit?: string
      readonly perturbation?: object
    }
    readonly count: number
    readonly sum: number
  }[]
}
