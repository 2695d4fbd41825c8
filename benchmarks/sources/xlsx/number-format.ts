/** What a number stands for by its format. */
export type Shown = 'number' | 'date' | 'duration'

/** Formats that a workbook need not declare and that show dates or times. */
const BUILT_IN: ReadonlyMap<number, Shown> = new Map([
  ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47].map((id) => [id, 'date'] as const),
  [46, 'duration'],
])

export const shownByNumber = (id: number): Shown => BUILT_IN.get(id) ?? 'number'

/** Texts in quotes, and brackets other than those of hours, minutes or seconds. */
const ASIDE = /".*?"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]/g
const DURATION = /\[hh?\](?::mm(?::ss(?:\.0*)?)?)?|\[mm?\](?::ss(?:\.0*)?)?|\[ss?\](?:\.0*)?/i

/** What a format code shows, by its part for positive numbers, as openpyxl decides it. */
export const shownByCode = (code: string): Shown => {
  const positive = code.split(';')[0] ?? ''
  if (!/(?<![_\\])[dmhys]/i.test(positive.replaceAll(ASIDE, ''))) return 'number'
  return DURATION.test(positive) ? 'duration' : 'date'
}
