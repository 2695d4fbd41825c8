import type { Failure } from '../../cache/problems/problem.ts'
import { remembered } from '../../cache/once.ts'
import { inOrder } from '../../targets/walk/walk.ts'

/** A reply that did not come. */
export interface JudgeFailure {
  readonly judge: string
  readonly cause: Failure
}

/** Calls still to be made, by judge: equal requests of several runs are one call. @param asked each judge's missing replies */
export const callsByJudge = (
  asked: readonly (readonly [judge: string, replies: readonly string[]])[],
): ReadonlyMap<string, number> => {
  const missing = new Map<string, Set<string>>()
  for (const [judge, replies] of asked) {
    const known = remembered(missing, judge, () => new Set())
    for (const reply of replies) known.add(reply)
  }
  return new Map([...missing].map(([judge, replies]) => [judge, replies.size]))
}

/** What is asked about at once; each deployment's own limits hold below it. */
const AT_ONCE = 64

/** Asks about each item what the store lacks, and hands the replies on in the items' order. @returns false when it was stopped on the way */
export const askEach = async <Item, Replies>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Replies>,
  take: (replies: Replies, item: Item) => void,
  stop: AbortSignal,
): Promise<boolean> => {
  const at = (index: number): Item => items[index] as Item
  const taken = await inOrder(
    items.length,
    AT_ONCE,
    (index) => ask(at(index)),
    (replies, index) => take(replies, at(index)),
    () => stop.aborted,
  )
  return taken === items.length && !stop.aborted
}
