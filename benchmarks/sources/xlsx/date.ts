import { roundHalfEven } from '../../python/numbers/number.ts'
import { dateText, durationText, timeText } from '../../python/time-text.ts'
import type { TimeCell } from '../csv/raw-cell.ts'

const DAY = 86_400_000
const DAY_MICROSECONDS = 86_400_000_000

/** What a nanosecond count of 64 bits reaches, in days since 1970. */
const PANDAS_DAYS = 106_751

/**
 * A cell's number as a date, as openpyxl reads and Python prints it: `2024-01-05 08:30:00`, a number below one as the
 * time of day `08:30:00`; fractions of a second, to the millisecond, follow as microseconds. Undefined for days that
 * Python does not have, which openpyxl makes an error cell.
 *
 * @param serial days since the last but one day of 1899, or since 1904 began
 */
export const excelDate = (serial: number, from1904: boolean): TimeCell | undefined => {
  const whole = Math.floor(serial)
  const time = roundHalfEven((serial - whole) * DAY)
  if (serial >= 0 && serial < 1 && time < DAY) return { kind: 'time', text: clock(time * 1000) }
  // Excel's year 1900 has a 29th of February.
  const shift = !from1904 && serial > 0 && serial < 60 ? 1 : 0
  const start = (from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)) / DAY
  const day = start + whole + shift + (time === DAY ? 1 : 0)
  return dateTime(day, time === DAY ? 0 : time * 1000)
}

/** Undefined for days that Python does not have. @param day since 1970 */
const dateTime = (day: number, microseconds: number): TimeCell | undefined => {
  const year = new Date(day * DAY).getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return undefined
  const text = `${dateText(day)} ${clock(microseconds)}`
  return { kind: 'datetime', text, ...(Math.abs(day) < PANDAS_DAYS ? {} : { beyond: true }) }
}

const clock = (microseconds: number): string => timeText(BigInt(microseconds), 'us')

/** A cell's number as a duration in days, to the millisecond; undefined for more than Python has. */
export const excelDuration = (days: number): TimeCell | undefined => {
  if (!(Math.abs(days) <= 999_999_999)) return undefined
  const whole = Math.trunc(days)
  const micro =
    BigInt(whole) * BigInt(DAY_MICROSECONDS) + BigInt(roundHalfEven((days - whole) * DAY_MICROSECONDS))
  const part = Number(((micro % 1_000_000n) + 1_000_000n) % 1_000_000n)
  return duration(micro - BigInt(part) + BigInt(roundHalfEven(part / 1000) * 1000))
}

/** `str(datetime.timedelta)`, and pandas' own way. @param micro microseconds */
const duration = (micro: bigint): TimeCell => {
  const size = BigInt(DAY_MICROSECONDS)
  const rest = ((micro % size) + size) % size
  const days = (micro - rest) / size
  const plain = timeText(rest, 'us').replace(/^0/, '')
  const text = days === 0n ? plain : `${days} day${days === 1n || days === -1n ? '' : 's'}, ${plain}`
  const beyond = days >= BigInt(PANDAS_DAYS) || days <= -BigInt(PANDAS_DAYS)
  return { kind: 'duration', text, inColumn: durationText(micro, 'us'), ...(beyond ? { beyond: true } : {}) }
}

const ISO = /^((\d{4})-(\d{2})-(\d{2}))?T?((\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?)?/
const ISO_DURATION = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?/

/** The text of a cell that holds a date in ISO form, as openpyxl reads it; undefined for what it takes for none. */
export const isoDate = (text: string): TimeCell | undefined => {
  const found = ISO.exec(text)
  if (found?.[1] !== undefined || found?.[5] !== undefined) return fromParts(found)
  const parts = ISO_DURATION.exec(text)
  if (parts === null || parts.slice(1).every((part) => part === undefined)) return undefined
  const [hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0))
  const whole = BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n
  return duration(whole * 1_000_000n + BigInt(roundHalfEven((seconds ?? 0) * 1_000_000)))
}

const fromParts = (found: readonly (string | undefined)[]): TimeCell | undefined => {
  const [, date, year, month, day, time, hour, minute, second, fraction] = found
  const [h, m, s] = [hour, minute, second].map((part) => Number(part ?? 0)) as [number, number, number]
  if (h > 23 || m > 59 || s > 59) return undefined
  const microseconds = ((h * 60 + m) * 60 + s) * 1_000_000 + Math.trunc(Number(fraction ?? 0) * 1_000_000)
  if (date === undefined) return { kind: 'time', text: clock(microseconds) }
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // JavaScript takes the 30th of February for one of March.
  if (Number.isNaN(at.getTime()) || at.getUTCDate() !== Number(day) || Number(year) < 1) return undefined
  if (time === undefined) return { kind: 'date', text: date }
  return dateTime(at.getTime() / DAY, microseconds)
}
