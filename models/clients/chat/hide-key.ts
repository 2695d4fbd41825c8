/** Shorter ones stand for no key at all, such as `EMPTY`, or would turn up in texts by chance. */
const SHORTEST = 8

/** A character as it is, and as JSON, URLs and HTML may have it: many servers escape `/` and `+`. */
const written = (character: string): string => {
  const code = character.charCodeAt(0)
  const [short, long] = [2, 4].map((digits) =>
    code
      .toString(16)
      .padStart(digits, '0')
      .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`),
  )
  const itself = String.raw`\u${code.toString(16).padStart(4, '0')}`
  return String.raw`(?:\\?${itself}|\\u${long}|%${short}|&#(?:[xX]${short}|${code});)`
}

/** Takes out of a text the key, wherever a server repeats it. */
export const keyHider = (key: string): ((text: string) => string) => {
  if (key.length < SHORTEST) return (text) => text
  const pattern = new RegExp(key.split('').map(written).join(''), 'g')
  return (text) => text.replaceAll(pattern, '[key]')
}
