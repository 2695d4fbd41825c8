/**
 * Where a continuous function changes its sign between `low` and `high`, to the last digits (Brent 1973).
 * @throws RangeError unless the function has two signs at the ends, or is 0 at one
 */
export const findRoot = (of: (x: number) => number, low: number, high: number): number => {
  let [a, b, fa, fb] = [low, high, of(low), of(high)]
  if (fa === 0) return a
  if (fb === 0) return b
  if (fa > 0 === fb > 0) throw new RangeError('a root lies between values of two signs')
  let [c, fc, step, before] = [a, fa, b - a, b - a]
  for (let round = 0; round < 200; round += 1) {
    if (Math.abs(fc) < Math.abs(fb)) [a, b, c, fa, fb, fc] = [b, c, b, fb, fc, fb]
    const close = 2 ** -52 * Math.abs(b) + Number.MIN_VALUE
    const half = (c - b) / 2
    if (Math.abs(half) <= close || fb === 0) return b
    const shot = interpolated([a, fa], [b, fb], [c, fc])
    if (shot !== undefined && Math.abs(before) >= close && isWithin(shot, half, before, close))
      [before, step] = [step, shot]
    else [before, step] = [half, half]
    ;[a, fa] = [b, fb]
    b += Math.abs(step) > close ? step : Math.sign(half) * close
    fb = of(b)
    if (fb > 0 === fc > 0) [c, fc, step, before] = [a, fa, b - a, b - a]
  }
  return b
}

type Point = readonly [x: number, value: number]

/** The step from `b` to the root of a parabola lying on its side, or of a line where two points are one. */
const interpolated = ([a, fa]: Point, [b, fb]: Point, [c, fc]: Point): number | undefined => {
  if (Math.abs(fa) <= Math.abs(fb)) return undefined
  const s = fb / fa
  if (a === c) return ((b - c) * s) / (1 - s) || undefined
  const [q, r] = [fa / fc, fb / fc]
  const over = s * ((b - c) * q * (q - r) + (b - a) * (r - 1))
  return over / ((q - 1) * (r - 1) * (s - 1)) || undefined
}

const isWithin = (shot: number, half: number, before: number, close: number): boolean =>
  shot > 0 === half > 0 && Math.abs(shot) < Math.min(1.5 * Math.abs(half) - close / 2, Math.abs(before) / 2)
