import type { UrlFields } from './url-state.ts'
import { visibleText } from './visible-text.ts'

/** What a page makes of the text that an address gives a field. */
export interface AddressRule {
  /** A sentence for each thing in it that the page does not have. */
  readonly faults: (text: string) => readonly string[]
  /** Whether the default stands for a text with a fault; else what of it is known still counts. */
  readonly isWhole: boolean
}

/** Of every field of a page, so that none can be forgotten. */
export type AddressRules<Fields extends UrlFields> = { readonly [Name in keyof Fields]: AddressRule }

/** Words to look for, and what is told where it is looked up. */
export const anything: AddressRule = { faults: () => [], isWhole: false }

const absent = (what: string, name: string): string =>
  `There ${what === 'weights' ? 'are' : 'is'} no ${what} ${visibleText(name)} here.`

/** @param isKnown of the whole text */
export const oneOf = (what: string, isKnown: (text: string) => boolean): AddressRule => ({
  faults: (text) => (isKnown(text) ? [] : [absent(what, text)]),
  isWhole: true,
})

/** Several, of which those that are there count. */
export const someOf = (what: string, isKnown: (word: string) => boolean, separator = ' '): AddressRule => ({
  faults: (text) =>
    text
      .split(separator)
      .filter((word) => word !== '' && !isKnown(word))
      .map((word) => absent(what, word)),
  isWhole: false,
})

/** An end of a range, which stays as it was written: the field shows it. */
export const limit = (isLimit: (text: string) => boolean): AddressRule => ({
  faults: (text) =>
    isLimit(text) ? [] : [`${visibleText(text)} is not a number that can be a limit: it is none.`],
  isWhole: false,
})

/** @param last number of the last page, where that is known */
export const pageNumber = (last = Infinity): AddressRule => ({
  faults: (text) => (/^[1-9]\d*$/.test(text) && Number(text) <= last ? [] : [absent('page', text)]),
  isWhole: false,
})

export interface ReadAddress<Fields extends UrlFields> {
  /** With the default in place of what the page can make nothing of. */
  readonly state: Fields
  /** What the address names and the page does not have, a sentence each. */
  readonly faults: readonly string[]
}

/** What a page can make of its state, and what it has to say of the rest. @param unknown names of fields it does not know */
export const readAddress = <Fields extends UrlFields>(
  state: Fields,
  defaults: Fields,
  rules: AddressRules<Fields>,
  unknown: readonly string[] = [],
): ReadAddress<Fields> => {
  const read = (Object.keys(defaults) as (keyof Fields & string)[]).map((name) => {
    const [text, usual] = [state[name] ?? '', defaults[name] ?? '']
    const faults = text === usual ? [] : rules[name].faults(text)
    return { name, faults, text: faults.length > 0 && rules[name].isWhole ? usual : text }
  })
  return {
    state: Object.fromEntries(read.map(({ name, text }) => [name, text])) as Fields,
    faults: [
      ...new Set([
        ...read.flatMap(({ faults }) => faults),
        ...unknown.map((name) => `The address asks for ${visibleText(name)}, which this page does not know.`),
      ]),
    ],
  }
}
