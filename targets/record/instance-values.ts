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

/** NaN where HELM's files say NaN or Infinity: that is no measurement. Undefined for a stat that nothing was added to. */
export const valueOf = ({ count, sum }: InstanceValues['stats'][number]): number | undefined => {
  if (count === 0) return undefined
  return Number.isFinite(sum) ? sum / count : NaN
}
