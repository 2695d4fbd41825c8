import { pyInt } from '../../benchmarks/python/numbers/number.ts'
import { DIGIT } from '../../benchmarks/python/unicode.ts'

const GESTATION = new RegExp(`^\\('([${DIGIT}]+) weeks', '([${DIGIT}]+) days'\\)`, 'u')

/** Days of a gestational age such as `('38 weeks', '2 days')`; undefined for anything else. */
export const gestationalDays = (text: string): number | undefined => {
  const [, weeks, days] = GESTATION.exec(text) ?? []
  if (weeks === undefined || days === undefined) return undefined
  return Number(pyInt(weeks)) * 7 + Number(pyInt(days))
}

const DATE = new RegExp(
  `^(1[0-2]|0[1-9]|[1-9])/(3[0-1]|[1-2][${DIGIT}]|0[1-9]|[1-9]| [1-9])/([${DIGIT}]{4})$`,
  'u',
)

/** What Python's strptime reads as `%m/%d/%Y`, as a number that orders dates; undefined where it raises. */
export const monthDayYear = (text: string): number | undefined => {
  const [month = 0, day = 0, year = 0] = (DATE.exec(text) ?? []).slice(1).map((part) => Number(pyInt(part)))
  // Day 0 of the next month is the last of this one; a year in 400 years' time has the same months.
  const last = new Date(Date.UTC(year + 400, month, 0)).getUTCDate()
  return year > 0 && day <= last ? (year * 12 + month) * 31 + day : undefined
}
