import { plural } from '../../../cache/words/number-text.ts'
import { compareCodePoints } from '../../../benchmarks/python/code-points.ts'
import type { StoreEvent } from '../../../cache/store.ts'

type LostEvent = Extract<StoreEvent, { readonly type: 'store-corrupt-record' }>

/** What a store lists and can't give, while a command works. */
export interface LostRecords {
  readonly add: (event: LostEvent) => void
  readonly has: (table: LostEvent['table'], id: string) => boolean
  readonly count: () => number
  /** What is lost, and what mends it; undefined where nothing is. */
  readonly text: () => string | undefined
}

export const createLostRecords = (): LostRecords => {
  const names = new Set<string>()
  const byTable = new Map<string, number>()
  return {
    add: ({ table, id }) => {
      const name = `${table}/${id}`
      if (names.has(name)) return
      names.add(name)
      byTable.set(table, (byTable.get(table) ?? 0) + 1)
    },
    has: (table, id) => names.has(`${table}/${id}`),
    count: () => names.size,
    text: () => {
      if (names.size === 0) return undefined
      const counts = [...byTable].sort(([a], [b]) => compareCodePoints(a, b))
      const parts = counts.map(([table, count]) => `${table} ${count}`).join(', ')
      return `${plural(names.size, 'record')} of the store can't be read (${parts}): what they held counts as missing.\n  \`medmake run\` makes it again, and asks again for lost replies; \`medmake cache verify\` lists the records, \`--repair\` drops them.`
    },
  }
}
