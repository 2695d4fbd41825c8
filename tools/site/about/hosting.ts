/** Where a model is served, and which texts may go there; each may get what those after it may. */
export const HOSTINGS = [
  'this machine',
  'private text agreed',
  'gated text agreed',
  'public text only',
] as const
export type Hosting = (typeof HOSTINGS)[number]

/** Whether a place will do for who wants another; nothing is known of an undeclared one. */
export const isHostedAs = (own: Hosting | undefined, wanted: string): boolean => {
  const least = HOSTINGS.findIndex((each) => each === wanted)
  return least === -1 || (own !== undefined && HOSTINGS.indexOf(own) <= least)
}

/**
 * Wishes that tell the models of a board apart: some will do, others won't. One that was asked for stays, as it filters
 * all the same.
 */
export const hostingChoices = (owns: readonly (Hosting | undefined)[], wanted: string): readonly Hosting[] =>
  HOSTINGS.filter(
    (each) => each === wanted || (owns.includes(each) && owns.some((own) => !isHostedAs(own, each))),
  )
