/** The least and the greatest rank that a model may hold, 1 the best. */
export type RankSet = readonly [least: number, greatest: number]

/** What is known for sure of others: how many lie above, and how many below. */
export const rankSetOf = (models: number, above: number, below: number): RankSet => [
  1 + above,
  models - below,
]
