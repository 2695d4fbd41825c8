import { dateText, timestampText } from '../../python/time-text.ts'

/** hyparquet's own decoder drops a byte order mark and lets bytes pass that are no UTF-8. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const stringFromBytes = (bytes: Uint8Array | undefined): string | undefined => bytes && utf8.decode(bytes)

const timeParser =
  (unit: 'ms' | 'us' | 'ns') =>
  (time: bigint | undefined): string | undefined =>
    time === undefined || time === null ? undefined : timestampText(time, unit)

/** Times and dates as Python prints them. */
export const textParsers = {
  stringFromBytes,
  timestampFromMilliseconds: timeParser('ms'),
  timestampFromMicroseconds: timeParser('us'),
  timestampFromNanoseconds: timeParser('ns'),
  dateFromDays: (day: number | undefined): string | undefined =>
    day === undefined || day === null ? undefined : dateText(day),
}

const asIs = (time: bigint | number | undefined): bigint | undefined =>
  time === undefined || time === null ? undefined : BigInt(time)

/** Times and dates as the whole numbers that they are kept as. */
export const countParsers = {
  stringFromBytes,
  timestampFromMilliseconds: asIs,
  timestampFromMicroseconds: asIs,
  timestampFromNanoseconds: asIs,
  dateFromDays: asIs,
}
