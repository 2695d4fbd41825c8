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
  const span = domain.to - domain.from
  // Of a single value the tenth around it.
  const seen = span > Math.abs(domain.to) * 1e-6 ? span : Math.abs(domain.to) / 10 || 1
  const step = niceStep(seen / wanted)
  const first = Math.floor(domain.from / step + 1e-9)
  const last = Math.max(Math.ceil(domain.to / step - 1e-9), first + 1)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
  return { at: between({ from: first * step, to: last * step }, pixels), ticks }
}

/** Equal factors: 1, 2, 5, 10, 20 …; all values are above 0. */
export const logAxis = (domain: Stretch, pixels: Stretch): Axis => {
  const steps: number[] = []
  for (
    let power = Math.floor(Math.log10(domain.from)) - 1;
    power <= Math.ceil(Math.log10(domain.to));
    power += 1
  )
    for (const digit of [1, 2, 5]) steps.push(Number((digit * 10 ** power).toPrecision(3)))
  const first = steps.findLastIndex((tick) => tick <= domain.from)
  const last = steps.findIndex((tick) => tick >= domain.to)
  const ticks = steps.slice(Math.max(first, 0), last < 0 ? undefined : last + 1)
  const at = between(
    { from: Math.log(ticks[0] ?? domain.from), to: Math.log(ticks.at(-1) ?? domain.to) },
    pixels,
  )
  return { at: (value) => at(Math.log(value)), ticks }
}

/** Places 1 … count, every one at its own pixel; some of them as ticks. */
export const placeAxis = (count: number, pixels: Stretch): Axis => {
  const step = Math.max(1, niceStep(count / 10))
  const ticks = [1]
  for (let tick = step > 1 ? step : 2; tick <= count; tick += step) ticks.push(tick)
  return { at: between({ from: 1, to: Math.max(count, 2) }, pixels), ticks }
}

const between =
  (domain: Stretch, pixels: Stretch): Axis['at'] =>
  (value) =>
    tenth(pixels.from + ((value - domain.from) / (domain.to - domain.from)) * (pixels.to - pixels.from))

/** The next of 1, 2, 5, 10 … times a power of ten. */
const niceStep = (rough: number): number => {
  const power = 10 ** Math.floor(Math.log10(rough))
  const digit = [1, 2, 5, 10].find((each) => each * power >= rough * (1 - 1e-9)) ?? 10
  return digit * power
}

/** Tenths of a pixel are finer than any eye. */
export const tenth = (pixels: number): number => Math.round(pixels * 10) / 10
