/** A place in an order, from 1. Equal values share the best place that any of them has. */
export interface RankPlace {
  readonly rank: number
  readonly tied: boolean
}

/** The place of `value` among `all`, in which it is; null without a value. */
export const place = (
  value: number | undefined,
  all: readonly (number | undefined)[],
  lowerIsBetter: boolean,
): RankPlace | null => {
  if (value === undefined) return null
  const known = all.filter((other) => other !== undefined)
  const better = known.filter((other) => (lowerIsBetter ? other < value : other > value)).length
  return { rank: better + 1, tied: known.filter((other) => other === value).length > 1 }
}

/** `1`, or `1=` where others share it. */
export const placeText = ({ rank, tied }: RankPlace): string => `${rank}${tied ? '=' : ''}`
