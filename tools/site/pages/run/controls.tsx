import type { JSX } from 'preact'
import { Choice } from '../../components/choice.tsx'
import type { InstanceIndex } from './run-index.ts'
import { PAGE_SIZES, type PageState } from './state.ts'

interface ControlsProps {
  readonly index: InstanceIndex
  readonly state: PageState
  readonly change: (some: Partial<PageState>) => void
  /** Name of the main metric. */
  readonly label: string
  /** Whether one score is that of a wrong answer. */
  readonly hasWrong: boolean
  readonly hasFlags: boolean
}

/** Filters, order and page size. A filter that has nothing to tell apart is left out. */
export const Controls = ({ index, state, change, label, hasWrong, hasFlags }: ControlsProps): JSX.Element => {
  const spreads = [
    ...new Set(index.spreads.flatMap((spread) => (spread === null || spread === 0 ? [] : [spread]))),
  ]
  const judged = spreads.length > 0
  const filter = (some: Partial<PageState>): void => change({ page: '1', instance: '', trial: '1', ...some })
  return (
    <div class="controls" role="group" aria-label="Filters">
      <Choice label="Show" value={state.show} onChange={(show) => filter({ show })}>
        <option value="all">All instances</option>
        {hasWrong ? <option value="wrong">Wrong answers</option> : null}
        <option value="failed">Failed or not measured</option>
        {judged ? <option value="apart">Disagreeing judges</option> : null}
        {hasFlags || state.show === 'flagged' ? <option value="flagged">Flagged by me</option> : null}
      </Choice>
      {judged && state.show === 'apart' ? (
        <Choice label="Apart by at least" value={state.apart} onChange={(apart) => filter({ apart })}>
          {spreads
            .toSorted((a, b) => a - b)
            .map((spread) => (
              <option key={spread} value={String(spread)}>
                {spread}
              </option>
            ))}
        </Choice>
      ) : null}
      <Choice label="Order" value={state.sort} onChange={(sort) => filter({ sort })}>
        <option value="order">As evaluated</option>
        <option value="low">Lowest first</option>
        <option value="high">Highest first</option>
        {judged ? <option value="apart">Judges furthest apart first</option> : null}
      </Choice>
      <Field label={`${label} from`} kind="number" value={state.from} onChange={(from) => filter({ from })} />
      <Field label="to" kind="number" value={state.to} onChange={(to) => filter({ to })} />
      <Choice label="On a page" value={state.size} onChange={(size) => filter({ size })}>
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </Choice>
      <Field label="Id or text" kind="words" value={state.q} onChange={(q) => filter({ q })} />
    </div>
  )
}

interface FieldProps {
  readonly label: string
  readonly kind: 'number' | 'words'
  readonly value: string
  /** Called when the reader is done: with Enter, or on leaving the field. */
  readonly onChange: (value: string) => void
}

/** A labelled field to write in. */
const Field = ({ label, kind, value, onChange }: FieldProps): JSX.Element => (
  <label class={`choice field-${kind}`}>
    <span>{label}</span>
    <input
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'search'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </label>
)
