import type { JSX } from 'preact'
import { Choice } from '../../components/choice.tsx'
import { accesses, categories, creators, weights } from './select-view.ts'
import { isHidden, toggled, type LeaderboardState } from './state.ts'
import type { LeaderboardView } from './view.ts'

interface ControlsProps {
  /** The whole table. */
  readonly view: LeaderboardView
  readonly state: LeaderboardState
  readonly change: (some: Partial<LeaderboardState>) => void
  /** Whether there is room to begin with the filters in sight. */
  readonly roomy: boolean
}

/** Filters, layout and columns. A filter with nothing to choose between is left out. */
export const Controls = ({ view, state, change, roomy }: ControlsProps): JSX.Element => (
  <details class="filters" open={roomy}>
    <summary>Filters and columns</summary>
    <div class="controls">
      <CategoryChoice view={view} state={state} change={change} />
      <Filter
        label="Data access"
        value={state.access}
        values={accesses(view)}
        onChange={(access) => change({ access })}
      />
      <Filter
        label="Creator"
        value={state.creator}
        values={creators(view)}
        onChange={(creator) => change({ creator })}
      />
      <Filter
        label="Weights"
        value={state.weights}
        values={weights(view)}
        onChange={(value) => change({ weights: value })}
      />
      <Choice label="Rows" value={state.rows} onChange={(rows) => change({ rows })}>
        <option value="models">Models</option>
        <option value="benchmarks">Benchmarks</option>
      </Choice>
      <Choice label="Numbers" value={state.numbers} onChange={(numbers) => change({ numbers })}>
        <option value="full">With intervals</option>
        <option value="brief">Values only</option>
      </Choice>
      <SummaryToggles view={view} state={state} change={change} />
    </div>
  </details>
)

const CategoryChoice = ({ view, state, change }: Omit<ControlsProps, 'roomy'>): JSX.Element | null => {
  const known = categories(view)
  if (known.length < 2 && (known[0]?.subcategories.length ?? 0) < 2) return null
  return (
    <Choice label="Category" value={state.category} onChange={(category) => change({ category })}>
      <option value="all">All</option>
      {known.map(({ name, subcategories }) => [
        <option key={name} value={name}>
          {name}
        </option>,
        subcategories.map((each) => (
          <option key={`${name}/${each}`} value={`${name}/${each}`}>
            {`\u2003${each}`}
          </option>
        )),
      ])}
    </Choice>
  )
}

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly onChange: (value: string) => void
}

const Filter = ({ label, value, values, onChange }: FilterProps): JSX.Element | null =>
  values.length < 2 ? null : (
    <Choice label={label} value={value} onChange={onChange}>
      <option value="all">All</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </Choice>
  )

const SummaryToggles = ({ view, state, change }: Omit<ControlsProps, 'roomy'>): JSX.Element | null => {
  const summaries = view.columns.filter(({ benchmark }) => benchmark === undefined)
  if (summaries.length < 2) return null
  return (
    <fieldset class="toggles">
      <legend>Columns</legend>
      {summaries.map(({ key, label }) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={!isHidden(state, key)}
            onChange={() => change({ hide: toggled(state.hide, key) })}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
