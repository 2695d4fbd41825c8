/** First and last of each stretch of neighbours: `2 3 4 9` → `2 4 9 9`. @param places ascending, each once */
export const stretchesOf = (places: readonly number[]): readonly number[] =>
  places.flatMap((place, at) => [
    ...(places[at - 1] === place - 1 ? [] : [place]),
    ...(places[at + 1] === place + 1 ? [] : [place]),
  ])

/** The places again. */
export const placesOf = (stretches: readonly number[]): readonly number[] =>
  stretches.flatMap((first, at) =>
    at % 2 === 1
      ? []
      : Array.from({ length: (stretches[at + 1] ?? first) - first + 1 }, (_, step) => first + step),
  )
