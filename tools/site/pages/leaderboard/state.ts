/** What readers may ask of the table, as the address keeps it. */
export interface LeaderboardState {
  /** A column's key, `model`, or empty for the board's own order; `-` before it: descending. */
  readonly sort: string
  /** `all`, a category, or `category/subcategory`. */
  readonly category: string
  /** Of benchmarks. */
  readonly access: string
  readonly creator: string
  readonly weights: string
  /** What stands in the rows. */
  readonly rows: string
  readonly numbers: string
  /** Keys of summary columns that are left out, with spaces between. */
  readonly hide: string
}

export const DEFAULT_STATE = {
  sort: '',
  category: 'all',
  access: 'all',
  creator: 'all',
  weights: 'all',
  rows: 'models',
  numbers: 'full',
  hide: '',
} satisfies LeaderboardState

/** `LeaderboardState` as fields of an address. */
export type LeaderboardFields = { readonly [Name in keyof LeaderboardState]: string }

export interface Sort {
  readonly key: string
  readonly direction: 'ascending' | 'descending'
}

export const MODEL = 'model'

/** The order that a state asks for; undefined for the board's own. */
export const sortOf = ({ sort }: Pick<LeaderboardState, 'sort'>): Sort | undefined => {
  if (sort === '') return undefined
  return sort.startsWith('-')
    ? { key: sort.slice(1), direction: 'descending' }
    : { key: sort, direction: 'ascending' }
}

export const sortText = ({ key, direction }: Sort): string => (direction === 'descending' ? `-${key}` : key)

export const isHidden = ({ hide }: Pick<LeaderboardState, 'hide'>, key: string): boolean =>
  hide.split(' ').includes(key)

/** `hide` with a key put in or taken out. */
export const toggled = (hide: string, key: string): string => {
  const keys = hide.split(' ').filter((each) => each !== '')
  return (keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]).join(' ')
}
