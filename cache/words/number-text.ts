/** What sums of equal numbers leave between them. */
const NOISE = 1e-12
const MANY_DIGITS = 1e9

/** Whether three decimals would show nothing of it. */
const isTiny = (value: number): boolean => Math.abs(value) < 0.0005

/**
 * Three decimals, as HELM's boards show numbers; none for numbers of a thousand and more; of what three decimals would hide
 * the first two digits.
 */
export const formatValue = (value: number): string => {
  if (!Number.isFinite(value)) return String(value)
  if (isTiny(value)) return Math.abs(value) < NOISE ? '0.000' : minus(value.toPrecision(2))
  return fixed(value, Math.abs(value) >= 1000 ? 0 : 3)
}

/** A value with as many digits as tell its side of a limit: 0.0203 beside 0.02 is not 0.020. */
export const formatBeside = (value: number, limit: number | null | undefined): string => {
  const text = formatValue(value)
  if (limit == null || value === limit || text !== formatValue(limit)) return text
  const digits = [4, 5, 6].map((count) => fixed(value, count))
  return digits.find((each, at) => each !== fixed(limit, at + 4)) ?? minus(String(value))
}

const minus = (digits: string): string => digits.replaceAll('-', '−')

/**
 * So many decimals, halves away from 0; a minus that none of them bears out is left away. What lies below a half by a sum's
 * last digits is one: a number that is formed in two orders must not read as two.
 */
export const fixed = (value: number, decimals: number): string => {
  // Of more digits a part as small is one of its own.
  const raised = Math.abs(value) < MANY_DIGITS ? value * (1 + NOISE) : value
  return minus(raised.toFixed(decimals).replace(/^-(?=[0.]+$)/, ''))
}

/** How something reads, or a dash where there is nothing. */
export const orDash = <Of>(value: Of | null | undefined, text: (value: Of) => string): string =>
  value == null ? '–' : text(value)

/** A value, or a dash. */
export const valueOrDash = (value: number | null | undefined): string => orDash(value, formatValue)

/** `−0.101 … +0.020`, or a dash. */
export const spanText = (
  interval: { readonly low: number; readonly high: number } | null,
  of: (value: number) => string,
): string => (interval === null ? '–' : `${of(interval.low)} … ${of(interval.high)}`)

/** `0.380–0.661`; `−0.183 to −0.014`, as a dash beside a minus is misread. */
export const formatRange = (range: { readonly low: number; readonly high: number }): string => {
  const { low, high } = rangeEnds(range)
  return `${low}${betweenEnds(range.low)}${high}`
}

/** ` (0.380–0.661)`, to stand behind a value; nothing where there is none. */
export const intervalText = (
  interval: { readonly low: number; readonly high: number } | null | undefined,
): string => (interval == null ? '' : ` (${formatRange(interval)})`)

/**
 * Both ends as they stand beside each other. Near 0 an end has the digit that tells its side of it, as `−0.000` would not,
 * and no more: the other one has three decimals.
 */
export const rangeEnds = ({
  low,
  high,
}: {
  readonly low: number
  readonly high: number
}): { readonly low: string; readonly high: string } => {
  const end = (value: number): string => {
    if (!isTiny(value) || (isTiny(low) && isTiny(high))) return formatValue(value)
    return value > -NOISE ? '0.000' : minus(value.toPrecision(1))
  }
  return { low: end(low), high: end(high) }
}

export const betweenEnds = (low: number): string => (low < -NOISE ? ' to ' : '–')

/** Digits in groups of three, apart by narrow spaces. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, '\u202F')

/** Rounded down, so that 99.96 % does not read as all: `99.9 %`; nor does what is left read as nothing: `< 0.1 %`. */
export const formatShare = (share: number): string => {
  if (share === 1) return '100 %'
  return share > 0 && share < 0.001 ? '< 0.1 %' : `${(Math.floor(share * 1000) / 10).toFixed(1)} %`
}

/** A share that somebody declared, with all of its digits: under a floor of 99.95 % lies 99.9 %. */
export const formatDeclared = (share: number): string => {
  const hundredths = Number((100 * share).toPrecision(12))
  return Number.isInteger(10 * hundredths) ? formatShare(share) : `${hundredths} %`
}

/** What is lacking of a whole, rounded up, so that it and the rest's `formatShare` are 100 %. */
export const formatLack = (share: number): string =>
  share > 0 && share < 0.001 ? '< 0.1 %' : `${(Math.ceil(share * 1000 - 1e-9) / 10).toFixed(1)} %`

/** `1 model`, `3 models` */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** `All 27 metrics`, `The metric`, `No metric` */
export const allOf = (count: number, noun: string): string =>
  count > 1 ? `All ${plural(count, noun)}` : `${count === 1 ? 'The' : 'No'} ${noun}`

/** `$0.42`; less than a cent has its first two digits. */
export const formatCost = (usd: number): string => {
  if (usd === 0 || usd >= 0.01) return `$${usd >= 1000 ? formatCount(Math.round(usd)) : fixed(usd, 2)}`
  return `$${usd.toPrecision(2)}`
}

/** `0.84 s` */
export const formatSeconds = (seconds: number): string =>
  `${seconds >= 99.5 ? formatCount(Math.round(seconds)) : seconds.toPrecision(2)} s`

const MAGNITUDES = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Three digits and a magnitude: `283 M`; below a thousand as it is. */
export const formatTokens = (count: number): string => {
  const [size, name] = MAGNITUDES.find(([least]) => count >= least) ?? [1, '']
  if (name === '') return formatCount(Math.round(count))
  const digits = (count / size).toPrecision(3)
  return `${digits.includes('e') ? Math.round(count / size) : digits}\u202F${name}`
}

/** `+0.031`, `−0.2`; with three decimals and its sign. */
export const formatDifference = (value: number): string => `${signOf(value)}${formatValue(value)}`

/** What a difference has before its digits; a minus is among them. */
export const signOf = (value: number): string => (value > NOISE ? '+' : '')

/** Hundredths of a scale with their sign: `+1.2`, `0.0`; `−0.04`, which is on a side of 0. */
export const formatPoints = (points: number, digits = 1): string => {
  const size = Math.abs(points)
  const text = fixed(size, digits)
  // An end beside 0 tells its side of it.
  const shown = digits > 0 && Number(text) === 0 && size > NOISE ? size.toPrecision(1) : text
  return Number(shown) === 0 ? shown : `${points > 0 ? '+' : '−'}${shown}`
}

/** A chance, which is never told to be none, nor to be certain: `0.69`, `< 0.01`, `> 0.99`. */
export const formatChance = (chance: number): string => {
  if (chance < 0.005) return '< 0.01'
  const text = fixed(chance, 2)
  return text === '1.00' ? '> 0.99' : text
}

/** `< 0.001`, or three decimals; beside 0.05 as many as tell its side of it. */
export const formatP = (p: number): string => {
  const decimals = [3, 4, 5, 6].find((count) => p === 0.05 || Number(fixed(p, count)) !== 0.05) ?? 7
  return p < 0.001 ? '< 0.001' : fixed(p, decimals)
}

/** `1–4`, or `1` where both ends are the same. Ends are whole places. */
export const rangeText = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  low === high ? String(low) : `${low}–${high}`

/** `A, B and C`; of more than are wanted `A, B, C and 2 others`. */
export const listText = (names: readonly string[], most = names.length): string => {
  const more = names.length - most
  const said = more > 0 ? [...names.slice(0, most), plural(more, 'other')] : names
  return [said.slice(0, -1).join(', '), ...said.slice(-1)].filter((part) => part !== '').join(' and ')
}

/** `12,345`. Intl would do it, too, and takes 20 ms to begin. */
export const countText = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
