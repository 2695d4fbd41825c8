import { HOSTINGS } from '../../about/hosting.ts'
import { anything, limit, oneOf, someOf, type AddressRule, type AddressRules } from '../../address-rules.ts'
import type { BoardData } from './board/board-data.ts'
import { limitOf } from './limits.ts'
import type { LeaderboardState } from './state.ts'

/** Columns that a board may have whatever was run. */
const COLUMNS: ReadonlySet<string> = new Set(['win', 'average', 'model', 'cost', 'latency', 'failed'])
const BENCHMARK = 'benchmark:'
const CATEGORY = 'category:'

/** What an address may name on this board. */
export const leaderboardRules = ({ columns, models }: BoardData): AddressRules<LeaderboardState> => {
  const isBenchmark = (key: string): boolean => columns.some((column) => column.key === key)
  const isModel = (key: string): boolean => models.some((model) => model.key === key)
  const isCategory = (name: string): boolean => columns.some(({ category }) => category === name)
  const column = (key: string): readonly string[] => {
    if (key.startsWith(BENCHMARK))
      return someOf('benchmark', isBenchmark, '\n').faults(key.slice(BENCHMARK.length))
    if (key.startsWith(CATEGORY))
      return someOf('category', isCategory, '\n').faults(key.slice(CATEGORY.length))
    return someOf('column', (name) => COLUMNS.has(name), '\n').faults(key)
  }
  const numbers = limit((text) => limitOf(text) !== undefined)
  return {
    task: oneOf('task', (text) =>
      columns.some(({ category, subcategory }) => text === category || text === `${category}/${subcategory}`),
    ),
    only: someOf('benchmark', isBenchmark),
    access: oneOf('data access', (text) => columns.some(({ access }) => access === text)),
    usd: numbers,
    seconds: numbers,
    hosting: oneOf('hosting', (text) => HOSTINGS.some((each) => each === text)),
    sort: { faults: (text) => column(text.replace(/^-/, '')), isWhole: true },
    open: someOf('category', (name) => name === 'none' || isCategory(name), '|'),
    pin: someOf('model', isModel),
    q: anything,
    weights: oneOf('weights', (text) => models.some(({ weights }) => weights === text)),
    creator: oneOf('creator', (text) => models.some(({ creator }) => creator === text)),
    at: cell(isModel, column),
  }
}

/** A model’s key, a space, and a column. */
const cell = (
  isModel: (key: string) => boolean,
  column: (key: string) => readonly string[],
): AddressRule => ({
  faults: (text) => {
    const [model = '', ...place] = text.split(' ')
    return [...column(place.join(' ')), ...someOf('model', isModel).faults(model)]
  },
  isWhole: true,
})
