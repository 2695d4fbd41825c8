/** Neighbours put together until each is large enough, or one is left. */
export const mergeSmall = <T>(
  parts: readonly T[],
  isEnough: (part: T) => boolean,
  join: (a: T, b: T) => T,
): readonly T[] => {
  const merged: T[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (last !== undefined && !isEnough(last)) merged[merged.length - 1] = join(last, part)
    else merged.push(part)
  }
  const [last, before] = [merged.at(-1), merged.at(-2)]
  if (last === undefined || before === undefined || isEnough(last)) return merged
  return [...merged.slice(0, -2), join(before, last)]
}
