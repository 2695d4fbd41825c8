/** Which requests a run's page shows, as its address keeps it. */
export interface PageState {
  /** `all`, `wrong`, `failed`, `apart`: judges that differ, or `flagged`. */
  readonly show: string
  /** Least distance of the judges' scores where `show` is `apart`. */
  readonly apart: string
  /** Ends of the range of scores; empty for no end. */
  readonly from: string
  readonly to: string
  /** Words that an id or a text must hold. */
  readonly q: string
  /** `order`, `low` or `high` scores first, `apart`. */
  readonly sort: string
  /** From 1. */
  readonly page: string
  /** Requests a page. */
  readonly size: string
  /** Id of the instance that is linked to; it decides the page. */
  readonly instance: string
  /** From 1. */
  readonly trial: string
}

export const DEFAULT_RUN_STATE = {
  show: 'all',
  apart: '1',
  from: '',
  to: '',
  q: '',
  sort: 'order',
  page: '1',
  size: '50',
  instance: '',
  trial: '1',
} satisfies PageState

/** `PageState` as fields of an address. */
export type PageFields = { readonly [Name in keyof PageState]: string }

export const PAGE_SIZES = ['10', '20', '50', '100'] as const

/** Requests a page; what is no size on offer counts as the usual. */
export const sizeOf = ({ size }: Pick<PageState, 'size'>): number =>
  Number(PAGE_SIZES.find((each) => each === size) ?? DEFAULT_RUN_STATE.size)
