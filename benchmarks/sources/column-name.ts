import { withheld } from '../../cache/problems/withheld.ts'

const LONGEST = 60
const MOST_WORDS = 7

/** Whether a text is too long for a name, or ends as a sentence does. */
export const isProse = (text: string): boolean => {
  const words = text.trim().split(/\s+/).length
  return text.length > LONGEST || words > MOST_WORDS || (words > 2 && /[.!]\s*$/.test(text))
}

/** A column's name in quotes; of what is none, such as the first row of a file without names, its length. */
export const toldColumn = (name: string): string => (isProse(name) ? withheld(name) : JSON.stringify(name))
