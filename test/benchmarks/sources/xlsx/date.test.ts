import { expect, test } from 'vitest'
import { excelDate, isoDate } from '../../../../benchmarks/sources/xlsx/xlsx-sheet.ts'
import { shownByCode, shownByNumber } from '../../../../benchmarks/sources/xlsx/workbook.ts'

/** Figures of openpyxl 3.1.5: `from_excel`, `from_ISO8601`, `is_date_format`, `is_timedelta_format`. */
test.each([
  [0, '00:00:00'],
  [0.5, '12:00:00'],
  // Less than half a millisecond before midnight is the next day.
  [0.9999999999, '1900-01-01 00:00:00'],
  [44927.9999999999, '2023-01-02 00:00:00'],
  [1, '1900-01-01 00:00:00'],
  [59.5, '1900-02-28 12:00:00'],
  // The 29th of February that 1900 did not have.
  [60, '1900-02-28 00:00:00'],
  [61, '1900-03-01 00:00:00'],
  [-1, '1899-12-29 00:00:00'],
  [-0.5, '1899-12-29 12:00:00'],
])('The number %d is the date %s.', (serial, text) => {
  expect(excelDate(serial, false)?.text).toBe(text)
})

test('A workbook whose days begin in 1904 counts them from there.', () => {
  expect([0, 0.5, 1].map((serial) => excelDate(serial, true)?.text)).toEqual([
    '00:00:00',
    '12:00:00',
    '1904-01-02 00:00:00',
  ])
})

test('Times in ISO form keep their milliseconds, and an hour of 24 is none.', () => {
  expect(isoDate('23:59:59.9')?.text).toBe('23:59:59.900000')
  expect(isoDate('2020-01-01T10:00:00.001')?.text).toBe('2020-01-01 10:00:00.001000')
  expect(isoDate('24:00:00')).toBeUndefined()
})

test.each([
  ['PT1H2M3.5S', '1:02:03.500000'],
  ['PT5M', '0:05:00'],
  ['PT90M', '1:30:00'],
  ['PT7S', '0:00:07'],
  ['PT1HxM', '1:00:00'],
  ['PTxM', undefined],
  ['2020-01-02', '2020-01-02'],
  ['2020-01-02T03:04', '2020-01-02 03:04:00'],
  ['T03:04:05', '03:04:05'],
  ['T3:04', undefined],
  ['T', undefined],
])('The text %s in ISO form is %s.', (text, shown) => {
  expect(isoDate(text)?.text).toBe(shown)
})

test('What nanoseconds of 64 bits do not reach is beyond what pandas makes a column of.', () => {
  expect(isoDate('2262-04-10T00:00:00')).not.toHaveProperty('beyond')
  expect(isoDate('2262-04-12T00:00:00')).toMatchObject({ beyond: true })
})

test('Formats without a declaration show what openpyxl says they do.', () => {
  expect([13, 14, 22, 23, 44, 45, 46, 47, 48].map(shownByNumber)).toEqual([
    'number',
    'date',
    'date',
    'number',
    'number',
    'date',
    'duration',
    'date',
    'number',
  ])
})

test.each([
  ['0;[Red]d', 'number'],
  ['0_d', 'number'],
  [String.raw`0\d`, 'number'],
  ['0.00_h', 'number'],
  ['d;0', 'date'],
  ['yyyy;@', 'date'],
  ['[h]:mm;@', 'duration'],
] as const)('The format %s shows a %s.', (code, shown) => {
  expect(shownByCode(code)).toBe(shown)
})
