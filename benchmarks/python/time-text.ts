import { safeText } from '../../cache/problems/problem.ts'
import { FormatError } from '../../cache/problems/format-error.ts'
import { remembered } from '../../cache/once.ts'

const SECONDS = 86_400n

/** Units of time of Arrow and Parquet, by how many of them a second has. */
const PER_SECOND = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n } as const
export type TimeUnit = keyof typeof PER_SECOND

const floorDivide = (value: bigint, by: bigint): bigint => {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}

/** Day number since 1970 → `2024-01-05`. @throws FormatError for years that Python does not have */
export const dateText = (day: number): string => {
  const date = new Date(day * 86_400_000)
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999))
    throw new FormatError(
      safeText`a date is beyond the years 1 to 9999`,
      'Write it as text, or leave it empty.',
    )
  return `${String(year).padStart(4, '0')}-${date.toISOString().slice(-19, -14)}`
}

/** Nanoseconds of a day → `08:30:00`, `08:30:00.000001`, `08:30:00.000000001`. */
const clockText = (nanoseconds: bigint): string => {
  const seconds = nanoseconds / PER_SECOND.ns
  const rest = String(nanoseconds % PER_SECOND.ns).padStart(9, '0')
  const two = (value: bigint): string => String(value).padStart(2, '0')
  const clock = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`
  if (/^0+$/.test(rest)) return clock
  return `${clock}.${rest.endsWith('000') ? rest.slice(0, 6) : rest}`
}

const toNanoseconds = (value: bigint, unit: TimeUnit): bigint => value * (PER_SECOND.ns / PER_SECOND[unit])

/** `str(datetime.time)`: what is finer than a microsecond is cut. */
export const timeText = (value: bigint, unit: TimeUnit): string =>
  clockText((toNanoseconds(value, unit) / 1000n) * 1000n)

/**
 * `str(pandas.Timestamp)`: time since 1970 as `2024-01-05 08:30:00`, with a time zone local and its offset behind it.
 * @throws FormatError for years that Python does not have, and for time zones that are not known here
 */
export const timestampText = (value: bigint, unit: TimeUnit, zone?: string | null): string => {
  const utc = toNanoseconds(value, unit)
  const offset = zone === undefined || zone === null ? '' : offsetOf(zone, utc)
  const local = utc + offsetSeconds(offset) * PER_SECOND.ns
  const day = floorDivide(local, SECONDS * PER_SECOND.ns)
  return `${dateText(Number(day))} ${clockText(local - day * SECONDS * PER_SECOND.ns)}${offset}`
}

/** `str(pandas.Timedelta)`: `1 days 12:00:01`, `-1 days +23:59:59`. */
export const durationText = (value: bigint, unit: TimeUnit): string => {
  const nanoseconds = toNanoseconds(value, unit)
  const days = floorDivide(nanoseconds, SECONDS * PER_SECOND.ns)
  const clock = clockText(nanoseconds - days * SECONDS * PER_SECOND.ns)
  return `${days} days ${days < 0n ? '+' : ''}${clock}`
}

/** Seconds of an offset such as `-05:00`. */
const offsetSeconds = (offset: string): bigint => {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const seconds = BigInt(hours) * 3600n + BigInt(minutes) * 60n
  return sign === '-' ? -seconds : seconds
}

/** By zone: one takes as long to make as hundreds of cells to write. */
const formats = new Map<string, Intl.DateTimeFormat>()
const offsetOf = (zone: string, utc: bigint): string => {
  if (/^[+-]\d\d:\d\d$/.test(zone)) return zone
  const format = remembered(
    formats,
    zone,
    () => new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }),
  )
  const at = new Date(Number(floorDivide(utc, 1_000_000n)))
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const found = /^GMT(?:([+-]\d\d:\d\d)(?::\d\d)?)?$/.exec(name)
  if (found === null) throw new RangeError('the offset of a time zone is not known')
  return found[1] ?? '+00:00'
}
