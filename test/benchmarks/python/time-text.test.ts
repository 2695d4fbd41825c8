import { expect, test, vi } from 'vitest'
import { dateText, durationText, timestampText, timeText } from '../../../benchmarks/python/time-text.ts'

test('Times before 1970, and durations of less than nothing, count from the day before, as pandas prints them.', () => {
  expect(timestampText(-1n, 's')).toBe('1969-12-31 23:59:59')
  expect(timestampText(-86_400n, 's')).toBe('1969-12-31 00:00:00')
  expect(durationText(-1n, 's')).toBe('-1 days +23:59:59')
  expect(durationText(-86_400_000n, 'ms')).toBe('-1 days +00:00:00')
  expect(durationText(129_601n, 's')).toBe('1 days 12:00:01')
})

test('A fraction of a second is told in as many digits as it has, six or nine; a time of day has six at most.', () => {
  expect(timestampText(1n, 'ms')).toBe('1970-01-01 00:00:00.001000')
  expect(timestampText(1n, 'ns')).toBe('1970-01-01 00:00:00.000000001')
  expect(timeText(30_600_000_001_999n, 'ns')).toBe('08:30:00.000001')
})

test('A time of a zone is local, with its offset behind it.', () => {
  expect(timestampText(0n, 's', '-05:00')).toBe('1969-12-31 19:00:00-05:00')
  expect(timestampText(0n, 's', '+05:30')).toBe('1970-01-01 05:30:00+05:30')
  // Half a second before summer time begins.
  expect(timestampText(1_711_846_799_500n, 'ms', 'Europe/Berlin')).toBe('2024-03-31 01:59:59.500000+01:00')
})

test('A zone is looked up once, however many cells are of it.', () => {
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  const texts = [0n, 1n, 2n].map((second) => timestampText(second, 's', 'America/Lima'))
  expect(texts.at(-1)).toBe('1969-12-31 19:00:02-05:00')
  expect(new Set(asked.mock.contexts).size).toBe(1)
})

test('A day has the years that Python has.', () => {
  expect(dateText(19_727)).toBe('2024-01-05')
  expect(dateText(-719_162)).toBe('0001-01-01')
  expect(() => dateText(-719_163)).toThrow(RangeError)
})
