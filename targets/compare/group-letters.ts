/** Letters of the groups that a place is in, like `ab`. @param groups first and last place of each, in order */
export const groupLetters = (
  groups: readonly { readonly first: number; readonly last: number }[],
  place: number,
): string =>
  groups
    .flatMap(({ first, last }, group) => (first <= place && place <= last ? [letter(group)] : []))
    .join('')

/** a … z, then a1 … */
const letter = (group: number): string => {
  const round = Math.floor(group / 26)
  return String.fromCodePoint(97 + (group % 26)) + (round === 0 ? '' : String(round))
}
