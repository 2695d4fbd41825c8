/** What a percent-encoded text stands for; undefined where a `%` of it begins no character. */
export const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
