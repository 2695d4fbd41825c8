/** `str(Decimal)` of `digits` × 10^-`scale`: plain down to a millionth, else with an exponent (PEP 327's rules). */
export const decimalText = (digits: bigint, scale: number): string => {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits)
  const exponent = text.length - 1 - scale
  if (scale < 0 || exponent < -6) {
    const fraction = text.length > 1 ? `.${text.slice(1)}` : ''
    return `${sign}${text[0] ?? ''}${fraction}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
  }
  if (scale === 0) return sign + text
  const padded = text.padStart(scale + 1, '0')
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`
}
