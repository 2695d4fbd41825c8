import type { JSX } from 'preact'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
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
      <Choice
        label="Show"
        value={state.show}
        options={[
          ['all', 'All instances'],
          ...(hasWrong ? [['wrong', 'Wrong answers'] as const] : []),
          ['failed', 'Failed or not measured'],
          ...(judged ? [['apart', 'Disagreeing judges'] as const] : []),
          ...(hasFlags || state.show === 'flagged' ? [['flagged', 'Flagged by me'] as const] : []),
        ]}
        onChange={(show) => filter({ show })}
      />
      {judged && state.show === 'apart' ? (
        <Choice
          label="Apart by at least"
          value={state.apart}
          options={spreads.toSorted((a, b) => a - b).map((spread) => [String(spread), String(spread)])}
          onChange={(apart) => filter({ apart })}
        />
      ) : null}
      <Choice
        label="Order"
        value={state.sort}
        options={[
          ['order', 'As evaluated'],
          ['low', 'Lowest first'],
          ['high', 'Highest first'],
          ...(judged ? [['apart', 'Judges furthest apart first'] as const] : []),
        ]}
        onChange={(sort) => filter({ sort })}
      />
      <Field label={`${label} from`} kind="number" value={state.from} onChange={(from) => filter({ from })} />
      <Field label="to" kind="number" value={state.to} onChange={(to) => filter({ to })} />
      <Choice
        label="On a page"
        value={state.size}
        options={PAGE_SIZES.map((size) => [size, size])}
        onChange={(size) => filter({ size })}
      />
      <Field label="Id or text" kind="words" value={state.q} onChange={(q) => filter({ q })} />
    </div>
  )
}
