import type { InstanceValues } from '../../../../targets/record/coverage.ts'

/**
 * A run's per-instance values, to be looked up by request. They come metric object by metric object while pages show
 * requests one by one, so all are held: as a flat array of numbers a metric, 8 bytes each.
 */
export class MetricValues {
  private readonly requests = new Map<string, number>()
  private readonly metrics = new Map<string, number[]>()

  add({ instanceId, trainTrialIndex, stats }: InstanceValues): void {
    const key = keyOf(instanceId, trainTrialIndex)
    const request = this.requests.get(key) ?? this.requests.size
    this.requests.set(key, request)
    for (const { name, count, sum } of stats) {
      if (count === 0 || name.perturbation !== undefined) continue
      const values = this.metrics.get(name.name) ?? []
      this.metrics.set(name.name, values)
      while (values.length < request) values.push(NaN)
      values[request] = sum / count
    }
  }

  /** Values of one request, the metrics in the order in which they first came. */
  of(instanceId: string | number, trial: number): readonly (readonly [name: string, value: number])[] {
    const request = this.requests.get(keyOf(instanceId, trial))
    if (request === undefined) return []
    return [...this.metrics].flatMap(([name, values]) => {
      const value = values[request]
      return value === undefined || Number.isNaN(value) ? [] : [[name, value] as const]
    })
  }
}

const keyOf = (id: string | number, trial: number): string => `${trial} ${id}`
