import type { Draw } from './draw.ts'

export type Sex = 'female' | 'male'

/** Who a vignette is about; nobody real. */
export interface Person {
  readonly age: number
  readonly sex: Sex
  /** `an 82-year-old man`, `a 67-year-old woman`. */
  readonly who: string
  readonly Who: string
  readonly He: 'She' | 'He'
  readonly his: 'her' | 'his'
  readonly His: 'Her' | 'His'
}

/** An adult between two ages, both included. */
export const drawPerson = (draw: Draw, youngest: number, oldest: number): Person => {
  const age = draw.whole(youngest, oldest)
  const isFemale = draw.coin()
  const article = /^(?:8|11|18)(?:\d?)$/.test(String(age)) ? 'an' : 'a'
  const who = `${article} ${age}-year-old ${isFemale ? 'woman' : 'man'}`
  const person = { age, who, Who: capitalised(who) }
  return isFemale
    ? { ...person, sex: 'female', He: 'She', his: 'her', His: 'Her' }
    : { ...person, sex: 'male', He: 'He', his: 'his', His: 'His' }
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
