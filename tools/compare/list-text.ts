import { plural } from './number-text.ts'

/** `A, B and C`; of more than are wanted `A, B, C and 2 others`. */
export const listText = (names: readonly string[], most = names.length): string => {
  const more = names.length - most
  const said = more > 0 ? [...names.slice(0, most), plural(more, 'other')] : names
  return [said.slice(0, -1).join(', '), ...said.slice(-1)].filter((part) => part !== '').join(' and ')
}
