import type { JSX } from 'preact'
import { hostingChoices } from '../../about/hosting.ts'
import { Choice, Filter, severalOf } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import type { BoardData, ColumnData } from './board/board-data.ts'
import type { BoardView } from './board/board-view.ts'
import { formatCount, plural } from '../../../../cache/words/number-text.ts'
import { decide } from './decide.ts'
import { isolated } from './isolated.ts'
import { limitOf } from './limits.ts'
import { isPerThousand } from './tie.ts'
import { toggled, wordsOf, type LeaderboardState } from './state.ts'

export interface StateProps {
  readonly state: LeaderboardState
  readonly change: (some: Partial<LeaderboardState>) => void
}

interface DecisionProps extends StateProps {
  readonly data: BoardData
  readonly view: BoardView
  /** How sure places are over this set is not known yet. */
  readonly isReckoning?: boolean
}

/** For my task and budget: what to compare, what may be spent, and what follows. */
export const DecisionPanel = ({
  data,
  view,
  state,
  change,
  isReckoning = false,
}: DecisionProps): JSX.Element => {
  const { take, reason, caveat } = decide(view, state)
  return (
    <section class="decision" aria-labelledby="decision">
      <h2 id="decision">For my task and budget</h2>
      <div class="limits">
        <Choice
          label="Task"
          value={state.task}
          options={tasksOf(data)}
          onChange={(task) => change({ task, only: '' })}
        />
        <Field
          {...limitField(state.usd)}
          label={isPerThousand(view) ? '$ per 1,000' : '$ in all'}
          onChange={(usd) => change({ usd })}
        />
        <Field {...limitField(state.seconds)} label="Seconds" onChange={(seconds) => change({ seconds })} />
        <Filter
          label="Hosting"
          value={state.hosting}
          values={hostingChoices(
            data.models.map(({ hosting }) => hosting),
            state.hosting,
          )}
          any="Any"
          onChange={(hosting) => change({ hosting })}
        />
        <Filter
          label="Data"
          value={state.access}
          values={severalOf(data.columns.map(({ access }) => access))}
          any="Any"
          onChange={(access) => change({ access })}
        />
      </div>
      <p class="verdict" role="status">
        {isReckoning ? (
          'Testing how sure the order over these benchmarks is …'
        ) : (
          <>
            {take === undefined ? null : <b>Take {isolated(take.label)}: </b>}
            {reason} <span class="doubt">{caveat}</span>
          </>
        )}
      </p>
      <BenchmarkChoice data={data} view={view} state={state} change={change} />
    </section>
  )
}

/** The tasks that may be chosen: categories, and below each its subcategories. */
const tasksOf = ({ columns }: BoardData): readonly (readonly [value: string, text: string])[] => [
  ['', 'All categories'],
  ...[...new Set(columns.map(({ category }) => category))].flatMap((name) => [
    [name, name] as const,
    ...subcategoriesOf(columns, name).map((each) => [`${name}/${each}`, `\u2003${each}`] as const),
  ]),
]

const subcategoriesOf = (columns: readonly ColumnData[], category: string): readonly string[] => [
  ...new Set(
    columns.flatMap((column) =>
      column.category === category && column.subcategory !== '' ? [column.subcategory] : [],
    ),
  ),
]

/** Of an upper limit; a text that is no number sets none. */
const limitField = (
  value: string,
): Pick<Parameters<typeof Field>[0], 'kind' | 'value' | 'placeholder' | 'fault'> => ({
  kind: 'number',
  value,
  placeholder: 'any',
  fault: value === '' || limitOf(value) !== undefined ? undefined : 'Not a number, so no limit',
})

/** Any set of benchmarks. */
const BenchmarkChoice = ({ data, view, state, change }: DecisionProps): JSX.Element | null => {
  if (data.columns.length < 2) return null
  const shown = new Set(view.columns.map(({ key }) => key))
  const toggle = (key: string): void => {
    const now = wordsOf(state.only).length > 0 ? state.only : [...shown].join(' ')
    change({ only: toggled(now, key) })
  }
  return (
    <details class="benchmark-choice">
      <summary>
        {formatCount(view.columns.length)} of {plural(data.columns.length, 'benchmark')}
      </summary>
      <fieldset>
        <legend class="unseen">Benchmarks to compare</legend>
        {data.columns
          .filter(
            ({ category, subcategory }) =>
              state.task === '' || state.task === category || state.task === `${category}/${subcategory}`,
          )
          .map(({ key, label }) => (
            <label key={key}>
              <input type="checkbox" checked={shown.has(key)} onChange={() => toggle(key)} />
              {label}
            </label>
          ))}
      </fieldset>
    </details>
  )
}
