/** Order of Python's `sorted` on strings: by code point, where JS compares UTF-16 units. */
export const compareCodePoints = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  let index = 0
  while (index < length && a.charCodeAt(index) === b.charCodeAt(index)) index++
  if (index === length) return a.length - b.length
  const before = index > 0 ? a.charCodeAt(index - 1) : 0
  const start = before >= 0xd800 && before <= 0xdbff ? index - 1 : index
  const difference = (a.codePointAt(start) ?? 0) - (b.codePointAt(start) ?? 0)
  // Equal high surrogates without a low one on either side: what follows them decides.
  return difference === 0 ? (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0) : difference
}
