import { range } from 'd3-array'
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale'

/** A stretch of numbers laid out on a stretch of pixels. */
export interface Axis {
  readonly at: (value: number) => number
  readonly ticks: readonly number[]
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** Equal steps; the stretch grows to whole ticks. */
export const linearAxis = (domain: Stretch, pixels: Stretch, wanted = 5): Axis => {
  const isPoint = domain.to - domain.from <= Math.abs(domain.to) * 1e-6
  // Of a single value the tenth around it.
  const half = isPoint ? Math.abs(domain.to) / 20 || 0.5 : 0
  const scale = scaleLinear()
    .domain([domain.from - half, domain.to + half])
    .nice(wanted)
  return { at: on(scale, pixels), ticks: scale.ticks(wanted) }
}

/** Equal factors: 1, 2, 5, 10, 20 …; all values are above 0. */
export const logAxis = (domain: Stretch, pixels: Stretch, wanted = 12): Axis => {
  const powers = range(Math.floor(Math.log10(domain.from)) - 1, Math.ceil(Math.log10(domain.to)) + 2)
  const steps = powers.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)))
  const first = steps.findLastIndex((tick) => tick <= domain.from)
  const last = steps.findIndex((tick) => tick >= domain.to)
  const shown = steps.slice(Math.max(first, 0), last < 0 ? undefined : Math.max(last, first + 1) + 1)
  const scale = scaleLog().domain([shown[0] ?? domain.from, shown.at(-1) ?? domain.to])
  const tens = shown.filter((tick) => tick.toExponential().startsWith('1'))
  return { at: on(scale, pixels), ticks: shown.length > wanted && tens.length > 1 ? tens : shown }
}

/** Places 1 … count, every one at its own pixel; some of them as ticks. */
export const placeAxis = (count: number, pixels: Stretch): Axis => {
  const scale = scaleLinear().domain([1, Math.max(count, 2)])
  const ticks = scale.ticks(Math.min(10, Math.max(count - 1, 1))).filter((tick) => Number.isInteger(tick))
  return { at: on(scale, pixels), ticks: [...new Set([1, ...ticks.filter((tick) => tick <= count)])] }
}

const on = (scale: ScaleContinuousNumeric<number, number>, pixels: Stretch): Axis['at'] => {
  const laid = scale.copy().range([pixels.from, pixels.to])
  return (value) => tenth(laid(value))
}

/** Tenths of a pixel are finer than any eye. */
const tenth = (pixels: number): number => Math.round(pixels * 10) / 10
