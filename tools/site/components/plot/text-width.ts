/** Pixels of characters of 12 pixels in the widest of the usual fonts; the first that fits decides. */
const WIDTHS: readonly (readonly [of: RegExp, pixels: number])[] = [
  [/[\p{M}\p{Cf}]/u, 0],
  [/[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u, 12.5],
  [/[\p{Extended_Pictographic}\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u, 16.5],
  [/[mwMW@%&…—]/u, 12],
  [/[<>=+~^#]/u, 10.2],
  [/[\p{Lu}]/u, 9.5],
  [/[iljtfrI.,:;'’|!()[\]\- ]/u, 5],
]
const USUAL = 7.8

/** Pixels that a text takes at most in a drawing: nothing measures it before it is drawn, and pages are drawn without a browser. */
export const textWidth = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + widthOf(character), 0)

const widthOf = (character: string): number => {
  const [, pixels] = WIDTHS.find(([of]) => of.test(character)) ?? [undefined, USUAL]
  return pixels
}

/** Cut where a drawing has no room; the table below it has the whole. @param room pixels */
export const fitted = (text: string, room: number): string => {
  if (textWidth(text) <= room) return text
  const characters = Array.from(text)
  let width = textWidth('…')
  const end = characters.findIndex((character) => {
    width += widthOf(character)
    return width > room
  })
  return `${characters.slice(0, end).join('').trimEnd()}…`
}
