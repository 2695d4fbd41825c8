/** What readers may ask of the board, as the address keeps it. */
export interface LeaderboardState {
  /** A category, or `category/subcategory`; empty for all. */
  readonly task: string
  /** Keys of the benchmarks to compare, with spaces between; empty for all of the task. */
  readonly only: string
  /** `public` for benchmarks that anybody may read, or empty. */
  readonly access: string
  /** Most US dollars of a thousand answers, and seconds of an answer; empty for any. */
  readonly usd: string
  readonly seconds: string
  /** Where the models have to be served; empty for anywhere. */
  readonly hosting: string
  /** `win`, `average`, `model`, `cost`, `latency`, `failed`, `category:…` or `benchmark:…`; `-` before it: descending. */
  readonly sort: string
  /** Categories whose benchmarks are shown, with `|` between; `none`; empty for as many as there is room for. */
  readonly open: string
  /** Keys of the models that stay on top, with spaces between. */
  readonly pin: string
  /** Words of a model’s name. */
  readonly q: string
  readonly weights: string
  readonly creator: string
  /** The cell whose details are shown: a model’s key, a space, and a column as in `sort`. */
  readonly at: string
}

export const DEFAULT_STATE = {
  task: '',
  only: '',
  access: '',
  usd: '',
  seconds: '',
  hosting: '',
  sort: '',
  open: '',
  pin: '',
  q: '',
  weights: '',
  creator: '',
  at: '',
} satisfies LeaderboardState

/** `LeaderboardState` as fields of an address. */
export type LeaderboardFields = { readonly [Name in keyof LeaderboardState]: string }

export interface Sort {
  readonly key: string
  readonly direction: 'ascending' | 'descending'
}

/** The order that a state asks for; undefined for that of the places. */
export const sortOf = ({ sort }: Pick<LeaderboardState, 'sort'>): Sort | undefined => {
  if (sort === '') return undefined
  return sort.startsWith('-')
    ? { key: sort.slice(1), direction: 'descending' }
    : { key: sort, direction: 'ascending' }
}

const ASCENDING: ReadonlySet<string> = new Set(['model', 'cost', 'latency', 'failed'])

/** The order that a click on a header asks for: its better end first, then the other way round, then that of the places. */
export const nextSort = (key: string, current: Sort | undefined, lowerIsBetter = false): string => {
  const ascending = lowerIsBetter || ASCENDING.has(key)
  if (current?.key !== key) return ascending ? key : `-${key}`
  const isFirst = (current.direction === 'ascending') === ascending
  if (!isFirst) return ''
  return ascending ? `-${key}` : key
}

/** A list of words with one put in or taken out. */
export const toggled = (list: string, word: string, separator = ' '): string => {
  const words = wordsOf(list, separator)
  return (words.includes(word) ? words.filter((each) => each !== word) : [...words, word]).join(separator)
}

export const wordsOf = (list: string, separator = ' '): readonly string[] =>
  list.split(separator).filter((each) => each !== '')
