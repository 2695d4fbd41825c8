/** Shorter ones stand for no key at all, such as `EMPTY`, or would turn up in texts by chance. */
const SHORTEST = 8

/** The text without the key, wherever a server repeats it. */
export const hideKey = (text: string, key: string): string =>
  key.length < SHORTEST ? text : text.replaceAll(key, '[key]')
