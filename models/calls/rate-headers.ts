/** What a reply's headers say of a limit: what is left of it, and the milliseconds until it is whole again. */
export interface Allowance {
  readonly remaining: number
  readonly reset: number
  /** The whole of it, where told. */
  readonly limit?: number
}

export interface RateHeaders {
  readonly requests?: Allowance
  readonly tokens?: Allowance
}

/** Forms of OpenAI and its likes, then Anthropic's. */
const NAMES = (what: 'requests' | 'tokens', which: 'limit' | 'remaining' | 'reset'): readonly string[] => [
  `x-ratelimit-${which}-${what}`,
  `anthropic-ratelimit-${what}-${which}`,
]

/** @param now epoch milliseconds */
export const readRateHeaders = (
  header: (name: string) => string | null | undefined,
  now: number,
): RateHeaders => {
  const allowance = (what: 'requests' | 'tokens'): Allowance | undefined => {
    const first = (which: 'limit' | 'remaining' | 'reset'): string | undefined =>
      NAMES(what, which)
        .map((name) => header(name))
        .find((value) => typeof value === 'string' && value !== '') ?? undefined
    const remaining = numberOf(first('remaining'))
    const reset = readReset(first('reset'), now)
    const limit = numberOf(first('limit'))
    if (remaining === undefined || reset === undefined) return undefined
    return { remaining, reset, ...(limit === undefined ? {} : { limit }) }
  }
  const requests = allowance('requests')
  const tokens = allowance('tokens')
  return { ...(requests && { requests }), ...(tokens && { tokens }) }
}

const numberOf = (text: string | undefined): number | undefined => {
  const value = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const EPOCH_SECONDS = 1e9
const EPOCH_MILLISECONDS = 1e12

/** Milliseconds from `6m0.5s`, `20ms`, seconds, an epoch time or a date. */
const readReset = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (value >= EPOCH_MILLISECONDS) return Math.max(0, value - now)
  if (value >= EPOCH_SECONDS) return Math.max(0, value * 1000 - now)
  if (Number.isFinite(value)) return Math.max(0, value * 1000)
  if (/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text))
    return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0),
      0,
    )
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
