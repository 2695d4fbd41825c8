/** Which requests a run's page shows, as its address keeps it. */
export const DEFAULT_RUN_STATE = {
  /** `all`, `wrong`, `failed`, `apart`: judges that differ, or `flagged`. */
  show: 'all',
  /** Least distance of the judges' scores where `show` is `apart`. */
  apart: '1',
  /** Ends of the range of scores; empty for no end. */
  from: '',
  to: '',
  /** Words that an id or a text must hold. */
  q: '',
  /** `order`, `low` or `high` scores first, `apart`. */
  sort: 'order',
  /** From 1. */
  page: '1',
  /** Requests a page. */
  size: '50',
  /** Id of the instance that is linked to; it decides the page. */
  instance: '',
  /** From 1. */
  trial: '1',
}

export type PageState = Readonly<typeof DEFAULT_RUN_STATE>

export const PAGE_SIZES = ['10', '20', '50', '100'] as const

/** Requests a page; what is no size on offer counts as the usual. */
export const sizeOf = ({ size }: Pick<PageState, 'size'>): number =>
  Number(PAGE_SIZES.find((each) => each === size) ?? DEFAULT_RUN_STATE.size)
