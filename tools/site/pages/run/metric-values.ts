import { dumps } from '../../../../benchmarks/python/dumps.ts'
import type { InstanceValues } from '../../../../targets/record/coverage.ts'

/**
 * A run's per-instance values, to be looked up by request. They come metric object by metric object while pages show
 * requests one by one, so all are held: as a flat array of numbers a metric, 8 bytes each.
 */
export class MetricValues {
  private readonly requests = new Map<string, number>()
  private readonly metrics = new Map<string, number[]>()

  add({ instanceId, perturbation, trainTrialIndex, stats }: InstanceValues): void {
    const key = keyOf(shownId(instanceId, perturbation), trainTrialIndex)
    const request = this.requests.get(key) ?? this.requests.size
    this.requests.set(key, request)
    for (const { name, count, sum } of stats) {
      if (count === 0 || (name.perturbation === undefined) !== (perturbation === undefined)) continue
      const values = this.metrics.get(name.name) ?? []
      this.metrics.set(name.name, values)
      while (values.length < request) values.push(NaN)
      values[request] = sum / count
    }
  }

  /** Values of one request, by its shown id, the metrics in the order in which they first came. */
  of(id: string, trial: number): readonly (readonly [name: string, value: number])[] {
    const request = this.requests.get(keyOf(id, trial))
    if (request === undefined) return []
    return [...this.metrics].flatMap(([name, values]) => {
      const value = values[request]
      return value === undefined || Number.isNaN(value) ? [] : [[name, value] as const]
    })
  }
}

/** The instances that HELM made of another by a perturbation have its id, and count in no score of a board. */
export const shownId = (id: string | number, perturbation: InstanceValues['perturbation']): string => {
  if (perturbation === undefined) return String(id)
  const words = [...perturbation]
    .filter(([key]) => !GIVEN.has(key))
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : dumps(value)
      return key === 'name' ? text : `${key} ${text}`
    })
  return `${id}, perturbed: ${words.join(', ')}`
}

/** What is the same for every perturbation of a name. */
const GIVEN: ReadonlySet<string> = new Set(['robustness', 'fairness', 'computed_on'])

const keyOf = (id: string, trial: number): string => `${trial} ${id}`
