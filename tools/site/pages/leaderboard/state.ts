/** What readers may ask of the board, as the address keeps it. */
export const DEFAULT_STATE = {
  /** A category, or `category/subcategory`; empty for all. */
  task: '',
  /** Keys of the benchmarks to compare, with spaces between; empty for all of the task. */
  only: '',
  /** `public` for benchmarks that anybody may read, or empty. */
  access: '',
  /** Most US dollars of a thousand answers, and seconds of an answer; empty for any. */
  usd: '',
  seconds: '',
  /** Where the models have to be served; empty for anywhere. */
  hosting: '',
  /** `win`, `average`, `model`, `cost`, `latency`, `failed`, `category:…` or `benchmark:…`; `-` before it: descending. */
  sort: '',
  /** Categories whose benchmarks are shown, with `|` between; `none`; empty for as many as there is room for. */
  open: '',
  /** Keys of the models that stay on top, with spaces between. */
  pin: '',
  /** Words of a model’s name. */
  q: '',
  weights: '',
  creator: '',
  /** The cell whose details are shown: a model’s key, a space, and a column as in `sort`. */
  at: '',
}

export type LeaderboardState = Readonly<typeof DEFAULT_STATE>

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
