/** More tells nobody anything. */
const LONGEST = 500

/** Controls, and marks that turn the direction of a line or end it: they steer terminals and hide what is written. */
const STEERING = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/gu

/** What a server says of itself, in an error or as a name, as one line that a terminal, a log and a page can show. */
export const toldText = (text: string): string => {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return shown.toWellFormed().replaceAll(STEERING, escaped)
}

const NAMES: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

const escaped = (character: string): string =>
  NAMES[character] ?? String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0')
