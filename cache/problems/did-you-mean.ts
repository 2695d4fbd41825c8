/**
 * The candidate that a mistyped word most likely meant: fewest edits (insert, drop, change, swap neighbours),
 * at most a third of the word's length, case ignored; one that the word begins is two away. Where none is, one whose beginning
 * is an edit away. The first of equals wins; undefined when none is near.
 */
export const didYouMean = (word: string, candidates: Iterable<string>): string | undefined => {
  const typed = word.toLowerCase()
  let best: string | undefined
  let begun: string | undefined
  let fewest = Math.max(1, Math.floor(typed.length / 3)) + 1
  for (const candidate of candidates) {
    // What is longer is as far, were it a note that stands where a name should.
    const name = candidate.slice(0, 2 * typed.length + 2).toLowerCase()
    const { whole, beginning } = editDistances(typed, name)
    const edits = Math.min(whole, beginning === 0 ? 2 : Infinity)
    if (edits < fewest) [best, fewest] = [candidate, edits]
    if (beginning <= 1) begun ??= candidate
  }
  return best ?? (typed.length < SHORTEST ? undefined : begun)
}

/** Shorter words begin as too many do. */
const SHORTEST = 4

/** `Did you mean x? ` when something is near, else nothing: the start of a remedy. */
export const suggestion = (word: string, candidates: Iterable<string>): string => {
  const meant = didYouMean(word, candidates)
  return meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `
}

/** Damerau–Levenshtein distances (optimal string alignment) of `a` from `b` and from the nearest of its beginnings. */
const editDistances = (a: string, b: string): { readonly whole: number; readonly beginning: number } => {
  // Three rows suffice: a swap looks back two.
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    ;[before, above] = [above, current]
  }
  return { whole: above[b.length] ?? 0, beginning: Math.min(...above) }
}
