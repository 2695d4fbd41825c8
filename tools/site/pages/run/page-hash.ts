/** Where a run's page stands: `#p2` is the second page, `#p2-3` the third instance on it. Pages count from 1 here. */
export interface PagePlace {
  /** From 0. */
  readonly page: number
  readonly anchor?: string
}

/** Reads an address; undefined where it names no page of instances. */
export const readHash = (hash: string, pages: number): PagePlace | undefined => {
  const match = /^#p(\d+)(-\d+)?$/.exec(hash)
  if (match === null) return undefined
  const page = Math.min(Math.max(Number(match[1]), 1), Math.max(pages, 1)) - 1
  return match[2] === undefined ? { page } : { page, anchor: hash.slice(1) }
}

/** An instance's anchor; page and index count from 0. */
export const anchorOf = (page: number, index: number): string => `p${page + 1}-${index + 1}`
