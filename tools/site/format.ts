/** Three decimals, as HELM's boards show numbers; none for numbers of a thousand and more. */
export const formatValue = (value: number): string => {
  if (!Number.isFinite(value)) return String(value)
  return value.toFixed(Math.abs(value) >= 1000 ? 0 : 3).replace('-', '−')
}

/** `0.380–0.661` */
export const formatRange = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  `${formatValue(low)}–${formatValue(high)}`

/** Digits in groups of three, apart by narrow spaces. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, '\u202F')

/** Rounded down, so that 99.96 % does not read as all: `99.9 %`. */
export const formatShare = (share: number): string =>
  share === 1 ? '100 %' : `${(Math.floor(share * 1000) / 10).toFixed(1)} %`

/** `1 model`, `3 models` */
export const plural = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
