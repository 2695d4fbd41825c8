import { groupBy } from '../../../../cache/group-by.ts'
import { fitted, textWidth } from './text-width.ts'

/** Characters within which names part from each other at the start of a word. */
const WORD = 6

/** Where names begin to differ, in characters; at the start of that word, if it is near. */
const partingOf = (names: readonly string[]): number => {
  const [first = [], ...others] = names.map((name) => Array.from(name))
  const differs = first.findIndex((character, at) => others.some((other) => other[at] !== character))
  const end = differs < 0 ? first.length : differs
  const word = first.slice(0, end).findLastIndex((each) => !/[\p{L}\p{N}]/u.test(each)) + 1
  return end - word > WORD ? end : word
}

const startOf = (name: string, end: number): string => Array.from(name).slice(0, end).join('')

/**
 * Each name in two parts where others begin with the same characters: what they share, which may be cut, and what tells it
 * from them.
 * @param room characters that nobody cuts
 */
export const partedNames = (
  names: readonly string[],
  room: number,
): ReadonlyMap<string, readonly [shared: string, own: string]> =>
  new Map(
    [...groupBy([...new Set(names)], (name) => startOf(name, room)).values()].flatMap((alike) => {
      if (alike.length < 2) return []
      const parting = partingOf(alike)
      return alike.map((name) => {
        const shared = startOf(name, parting)
        return [name, [shared, name.slice(shared.length)]] as const
      })
    }),
  )

/** Names cut to a drawing's room, so that no two of them look the same: `vendor/mod…thinking`. @param room pixels */
export const fittedNames = (names: readonly string[], room: number): ReadonlyMap<string, string> => {
  const shown = new Map(names.map((name) => [name, fitted(name, room)]))
  const part = (alike: readonly string[]): void => {
    if (alike.length < 2) return
    const parting = partingOf(alike)
    for (const name of alike) {
      const shared = startOf(name, parting)
      const own = fitted(name.slice(shared.length), (room * 2) / 3)
      shown.set(name, `${fitted(shared, room - textWidth(own))}${own}`)
    }
    for (const still of byText(alike)) part(still.length < alike.length ? still : [])
  }
  const byText = (of: readonly string[]): Iterable<readonly string[]> =>
    groupBy(of, (name) => shown.get(name) ?? '').values()
  for (const alike of byText([...shown.keys()])) part(alike)
  return shown
}
