import { readFileSync } from 'node:fs'
import { shared } from '../../rig/shared.ts'

/** A row of the reference values that CPython 3.11 wrote; which fields it has depends on `op`. */
export type GoldenRow = Readonly<Record<string, unknown>> & { readonly op: string }

/** Where the reference values lie; undefined where they don't. */
export const goldenNumbers = shared('golden/metrics/python-numbers.jsonl')

/** Rows of one operation. */
export const goldenRows = (op: string): readonly GoldenRow[] => {
  if (goldenNumbers === undefined) return []
  return readFileSync(goldenNumbers, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenRow)
    .filter((row) => row.op === op)
}

/** A double from Python's `float.hex()`. */
export const fromHex = (text: string): number => {
  const match = /^(-?)0x([01])\.?([0-9a-f]*)p([+-]\d+)$/.exec(text)
  if (match === null) return { nan: NaN, inf: Infinity, '-inf': -Infinity }[text] ?? Number(text)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const mantissa = Number(BigInt(`0x${whole}${fraction.padEnd(13, '0')}`))
  const steps = Number(exponent) - 52
  const half = Math.trunc(steps / 2)
  return (sign === '-' ? -1 : 1) * mantissa * 2 ** half * 2 ** (steps - half)
}
