import { repr } from './numbers/number.ts'
import type { PyValue } from './value.ts'

const WIDTH = 74

/** Beyond these numpy shows the ends only. */
const MOST = 1000

/**
 * `str(numpy.array(items))` of texts and None, or of integers: `['I10' 'E11.9']`, in lines of 75 characters.
 * @throws RangeError for other items, and for more than a thousand
 */
export const numpyText = (items: readonly PyValue[]): string => {
  if (items.length > MOST) throw new RangeError('a list within a list has more than 1000 items')
  const whole = items.every((item) => Number.isInteger(item) || typeof item === 'bigint')
  if (!whole && !items.every((item) => item === null || typeof item === 'string'))
    throw new RangeError('a list within a list holds neither texts nor integers')
  const plain = items.map(repr)
  const widest = whole ? Math.max(0, ...plain.map((word) => word.length)) : 0
  let text = ''
  let line = ' '
  for (const [index, word] of plain.map((each) => each.padStart(widest)).entries()) {
    if (line.length > 1 && Array.from(line).length + Array.from(word).length > WIDTH) {
      text += `${line.trimEnd()}\n`
      line = ' '
    }
    line += index === plain.length - 1 ? word : `${word} `
  }
  return `[${(text + line).slice(1)}]`
}
