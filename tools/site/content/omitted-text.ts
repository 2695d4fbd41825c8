import { remembered } from '../../../cache/once.ts'
import type { Board } from '../../../targets/board/board.ts'
import { listText } from '../../../cache/words/number-text.ts'
import { visibleText } from '../visible-text.ts'

/** A line for each number that runs lack: what it is, why, and what to install; then whose it is. */
export const omittedLines = (
  omitted: Iterable<readonly [where: string, messages: readonly string[]]>,
): readonly string[] => {
  const places = new Map<string, Set<string>>()
  for (const [where, messages] of omitted)
    for (const message of messages) remembered(places, message, () => new Set()).add(where)
  return [...places].map(
    ([message, where]) =>
      `Not computed: ${visibleText(message)} (${listText([...where].map(visibleText), NAMED)})`,
  )
}

/** The same of a board's runs, by benchmark. */
export const boardOmissions = ({ benchmarks, rows }: Board): readonly string[] =>
  omittedLines(
    rows.flatMap(({ cells }) =>
      cells.map((cell, column) => [benchmarks[column]?.displayName ?? '', cell.omitted] as const),
    ),
  )

const NAMED = 3
