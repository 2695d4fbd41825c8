import type { JSX } from 'preact'
import { hostingChoices } from '../../about/hosting.ts'
import { Choice } from '../../components/choice.tsx'
import type { BoardData, ColumnData } from './board/board-data.ts'
import type { BoardView } from './board/board-view.ts'
import { formatCount, plural } from '../../../compare/number-text.ts'
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
        <TaskChoice data={data} state={state} change={change} />
        <NumberField
          label={isPerThousand(view) ? '$ per 1,000' : '$ in all'}
          value={state.usd}
          onChange={(usd) => change({ usd })}
        />
        <NumberField label="Seconds" value={state.seconds} onChange={(seconds) => change({ seconds })} />
        <HostingChoice data={data} state={state} change={change} />
        <AccessChoice columns={data.columns} state={state} change={change} />
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

const TaskChoice = ({ data, state, change }: StateProps & { readonly data: BoardData }): JSX.Element => {
  const categories = [...new Set(data.columns.map(({ category }) => category))]
  return (
    <Choice label="Task" value={state.task} onChange={(task) => change({ task, only: '' })}>
      <option value="">All categories</option>
      {categories.map((name) => [
        <option key={name} value={name}>
          {name}
        </option>,
        subcategoriesOf(data.columns, name).map((each) => (
          <option key={`${name}/${each}`} value={`${name}/${each}`}>
            {`\u2003${each}`}
          </option>
        )),
      ])}
    </Choice>
  )
}

const subcategoriesOf = (columns: readonly ColumnData[], category: string): readonly string[] => [
  ...new Set(
    columns.flatMap((column) =>
      column.category === category && column.subcategory !== '' ? [column.subcategory] : [],
    ),
  ),
]

/** Of a text that sets no limit, as it is no number. */
const NO_LIMIT = { 'aria-invalid': true, title: 'Not a number, so no limit' } as const

const NumberField = ({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}): JSX.Element => (
  <label class="choice limit">
    <span>{label}</span>
    <input
      type="text"
      inputMode="decimal"
      placeholder="any"
      value={value}
      {...(value !== '' && limitOf(value) === undefined ? NO_LIMIT : {})}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  </label>
)

const HostingChoice = ({
  data,
  state,
  change,
}: StateProps & { readonly data: BoardData }): JSX.Element | null => {
  const choices = hostingChoices(
    data.models.map(({ hosting }) => hosting),
    state.hosting,
  )
  return choices.length === 0 ? null : (
    <Choice label="Hosting" value={state.hosting} onChange={(hosting) => change({ hosting })}>
      <option value="">Any</option>
      {choices.map((hosting) => (
        <option key={hosting} value={hosting}>
          {hosting}
        </option>
      ))}
    </Choice>
  )
}

const AccessChoice = ({
  columns,
  state,
  change,
}: StateProps & { readonly columns: readonly ColumnData[] }): JSX.Element | null => {
  const accesses = [...new Set(columns.map(({ access }) => access))]
  return accesses.length < 2 ? null : (
    <Choice label="Data" value={state.access} onChange={(access) => change({ access })}>
      <option value="">Any</option>
      {accesses.map((access) => (
        <option key={access} value={access}>
          {access}
        </option>
      ))}
    </Choice>
  )
}

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
