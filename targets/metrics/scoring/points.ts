import type { MetricPoint } from '../metric.ts'

/** A number with the type that Python holds it in. */
export interface Score {
  readonly value: number
  readonly float: boolean
}

export const intScore = (value: number): Score => ({ value, float: false })
export const floatScore = (value: number): Score => ({ value, float: true })

export const point = (name: string, { value, float }: Score): MetricPoint => ({ name, value, float })
export const intPoint = (name: string, value: number): MetricPoint => ({ name, value, float: false })
export const floatPoint = (name: string, value: number): MetricPoint => ({ name, value, float: true })

/** A stat that HELM names but adds nothing to. */
export const emptyPoint = (name: string): MetricPoint => ({ name, value: null, float: false })
