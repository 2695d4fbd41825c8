import type { JSX } from 'preact'
import { Filter, Reset, severalOf } from '../../components/choice.tsx'
import { formatCount, plural } from '../../../../cache/words/number-text.ts'
import type { BoardView } from './board/board-view.ts'
import type { StateProps } from './decision.tsx'

interface ControlsProps extends StateProps {
  readonly view: BoardView
  readonly isChanged: boolean
  readonly reset: () => void
}

/** Search and filters of the rows, what they leave, and the way back. A filter with nothing to choose between is left out. */
export const Controls = ({ view, state, change, isChanged, reset }: ControlsProps): JSX.Element => (
  <div class="board-controls">
    <label class="search">
      <span class="unseen">Search models</span>
      <input
        type="search"
        placeholder="Search models ( / )"
        value={state.q}
        onInput={({ currentTarget }) => change({ q: currentTarget.value })}
      />
    </label>
    <Filter
      label="Weights"
      value={state.weights}
      values={sortedOf(view.all.map(({ weights }) => weights))}
      any="All"
      onChange={(weights) => change({ weights })}
    />
    <Filter
      label="Creator"
      value={state.creator}
      values={sortedOf(view.all.map(({ creator }) => creator))}
      any="All"
      onChange={(creator) => change({ creator })}
    />
    <p class="status" role="status">
      {sizeText(view)}
    </p>
    {!isChanged ? null : <Reset text="Reset" className="button" field=".search input" reset={reset} />}
  </div>
)

const sortedOf = (values: readonly string[]): readonly string[] =>
  severalOf(values).toSorted((a, b) => a.localeCompare(b, 'en'))

/** `3 of 13 models, places among all · 33 benchmarks of 20 to 100 answers` */
export const sizeText = ({ rows, all, columns }: BoardView): string => {
  const models =
    rows.length === all.length
      ? plural(all.length, 'model')
      : `${formatCount(rows.length)} of ${plural(all.length, 'model')}, places among all`
  return `${models} · ${plural(columns.length, 'benchmark')}${answersText({ all, columns })}`
}

/** How many a model was asked for; nothing where that is not known of each benchmark. */
const answersText = ({ all, columns }: Pick<BoardView, 'all' | 'columns'>): string => {
  const counts = columns.map(({ index }) => Math.max(...all.map(({ cells }) => cells[index]?.requests ?? 0)))
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  if (!(least > 0)) return ''
  return ` of ${least === most ? '' : `${formatCount(least)} to `}${plural(most, 'answer')}`
}
