import type { Draw } from './draw.ts'

export type Sex = 'female' | 'male'

/** Who a vignette is about; nobody real. */
export interface Person {
  readonly age: number
  readonly sex: Sex
  /** `67-year-old woman` */
  readonly who: string
  readonly He: 'She' | 'He'
  readonly his: 'her' | 'his'
}

/** An adult between two ages, both included. */
export const drawPerson = (draw: Draw, youngest: number, oldest: number): Person => {
  const age = draw.whole(youngest, oldest)
  return draw.coin()
    ? { age, sex: 'female', who: `${age}-year-old woman`, He: 'She', his: 'her' }
    : { age, sex: 'male', who: `${age}-year-old man`, He: 'He', his: 'his' }
}

/** `an 82-year-old man`, `a 67-year-old woman`. */
export const withArticle = (who: string): string => `${/^(?:8|11|18)(?:\d?)-/.test(who) ? 'an' : 'a'} ${who}`

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
