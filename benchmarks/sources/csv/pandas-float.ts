const NUMBER = /^[ \t\v\f]*([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?[ \t\v\f]*$/
const INFINITE = /^[ \t\v\f]*([+-]?)inf(?:inity)?[ \t\v\f]*$/i

/** Digits that pandas looks at; later ones only move the decimal point. */
const MAX_DIGITS = 17

/** Greatest power of ten that is a double. */
const MAX_POWER = 308

/**
 * A number as pandas' C parser reads it: the first 17 digits as a double, multiplied or divided once by a power of ten.
 * The last bit may differ from the correctly rounded value, and so may the printed number.
 * Undefined for what it does not take as a number.
 */
export const pandasFloat = (text: string): number | undefined => {
  const infinite = INFINITE.exec(text)
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity
  const found = NUMBER.exec(text)
  if (!found) return undefined
  const [, sign, whole = '', fraction = found[4] ?? '', , power = '0'] = found
  const digits = (whole + fraction).slice(0, MAX_DIGITS)
  let value = 0
  for (const digit of digits) value = value * 10 + Number(digit)
  const decimals = Math.max(0, digits.length - whole.length)
  const exponent = Math.max(0, whole.length - digits.length) - decimals + Number(power)
  value = scaled(sign === '-' ? -value : value, exponent)
  return Number.isFinite(value) ? value : undefined
}

const scaled = (value: number, exponent: number): number => {
  if (exponent > MAX_POWER) return Infinity
  if (exponent >= 0) return value * powerOfTen(exponent)
  if (exponent >= -MAX_POWER) return value / powerOfTen(-exponent)
  return value / powerOfTen(-MAX_POWER - exponent) / powerOfTen(MAX_POWER)
}

const powerOfTen = (exponent: number): number => Number(`1e${exponent}`)
