/** Looks for stop sequences in an answer that grows by tokens. */
export interface StopScan {
  /** True once a stop sequence stands in the text of these ids; only the last token is new since the call before. */
  stopped(ids: readonly number[]): boolean
  /** The text before the first stop sequence. */
  cut(text: string): string
}

/** Tokens that may be part of a character, or empty: more than that many in a row would only be noticed at the end. */
const SLACK = 8

/** @param decode - ids → text. @param stops - empty ones are no stops. */
export const stopScan = (decode: (ids: readonly number[]) => string, stops: readonly string[]): StopScan => {
  const wanted = stops.filter((stop) => stop !== '')
  const longest = Math.max(0, ...wanted.map((stop) => Buffer.byteLength(stop)))
  return {
    stopped: (ids) => {
      if (wanted.length === 0) return false
      // A token is a byte at least, so no stop sequence spans more tokens than it has bytes.
      const tail = decode(ids.slice(-(longest + SLACK)))
      return wanted.some((stop) => tail.includes(stop))
    },
    cut: (text) => beforeStop(text, wanted),
  }
}

/** The text before the first stop sequence; empty ones are none. */
export const beforeStop = (text: string, stops: readonly string[]): string => {
  const ends = stops.filter((stop) => stop !== '').map((stop) => text.indexOf(stop))
  return text.slice(0, Math.min(text.length, ...ends.filter((end) => end !== -1)))
}
