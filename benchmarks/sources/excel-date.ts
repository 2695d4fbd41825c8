import { roundHalfEven } from '../python/number.ts'

const DAY = 86_400_000

/**
 * A cell's number as a date, as openpyxl reads and Python prints it: `2024-01-05 08:30:00`, a number below one as the
 * time of day `08:30:00`; fractions of a second, to the millisecond, follow as microseconds.
 *
 * @param serial days since the last but one day of 1899, or since 1904 began
 */
export const excelDate = (serial: number, from1904: boolean): string => {
  const day = Math.floor(serial)
  const time = roundHalfEven((serial - day) * DAY)
  if (serial >= 0 && serial < 1 && time < DAY) return timeOf(time)
  // Excel's year 1900 has a 29th of February.
  const shift = !from1904 && serial > 0 && serial < 60 ? 1 : 0
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const at = start + (day + shift) * DAY + time
  return `${new Date(at).toISOString().slice(0, 10)} ${timeOf(at - Math.floor(at / DAY) * DAY)}`
}

const timeOf = (milliseconds: number): string => {
  const text = new Date(milliseconds).toISOString().slice(11, 23)
  return text.endsWith('.000') ? text.slice(0, 8) : `${text}000`
}
