import type { InstanceView } from './instance-view.ts'

/** Key of the chunk that holds a page of instances; pages count from 0. */
export const pageKey = (page: number): string => `p${page}`

/** A chunk of instances; the names of metrics stand once, beside them. */
export interface InstancePage {
  readonly metrics: readonly string[]
  readonly instances: readonly StoredView[]
}

export interface StoredView extends Omit<InstanceView, 'metrics'> {
  /** By the page's metrics; null, or nothing at the end, for one that the instance lacks. */
  readonly values: readonly (number | null)[]
}

export const instancesOf = ({ metrics, instances }: InstancePage): readonly InstanceView[] =>
  instances.map(({ values, ...view }) => ({
    ...view,
    metrics: metrics.flatMap((name, at) => {
      const value = values[at]
      return value === undefined || value === null ? [] : [[name, value] as const]
    }),
  }))
