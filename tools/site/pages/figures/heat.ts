import { positionOn, type ShownScale } from '../../content/scale.ts'

const STEPS = 6

/** 0 … 6, the better the deeper. */
export const heatOf = (value: number, scale: ShownScale, lowerIsBetter: boolean): number => {
  const position = positionOn(scale, value)
  return Math.round((lowerIsBetter ? 1 - position : position) * STEPS)
}
