import type { JSX } from 'preact'
import { visibleText } from '../../visible-text.ts'
import type { BoardData } from './board/board-data.ts'
import { wordsOf, type LeaderboardState } from './state.ts'

/** What an address names and this board does not have, a sentence each. */
export const notHere = (
  { columns, models }: Pick<BoardData, 'columns' | 'models'>,
  { task, only, pin, at, sort }: Pick<LeaderboardState, 'task' | 'only' | 'pin' | 'at' | 'sort'>,
): readonly string[] => {
  const isTask = columns.some(
    ({ category, subcategory }) => task === category || task === `${category}/${subcategory}`,
  )
  const [model = '', ...place] = at.split(' ')
  const sought = [place.join(' '), sort.replace(/^-/, '')]
    .filter((each) => each.startsWith(BENCHMARK))
    .map((each) => each.slice(BENCHMARK.length))
  const benchmarks = [...wordsOf(only), ...sought].filter((key) => columns.every((each) => each.key !== key))
  const others = [...wordsOf(pin), ...wordsOf(model)].filter((key) =>
    models.every((each) => each.key !== key),
  )
  return [
    ...(task === '' || isTask ? [] : [`There is no task ${visibleText(task)} on this board.`]),
    ...sentences('benchmark', benchmarks),
    ...sentences('model', others),
  ]
}

const BENCHMARK = 'benchmark:'

const sentences = (what: string, names: readonly string[]): readonly string[] =>
  [...new Set(names)].map((name) => `There is no ${what} ${visibleText(name)} on this board.`)

export const NotHere = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <>
    {lines.map((line) => (
      <p key={line} class="warning">
        {line}
      </p>
    ))}
  </>
)
