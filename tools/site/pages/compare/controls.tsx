import type { JSX } from 'preact'
import { Choice } from '../../components/choice.tsx'
import type { CompareData } from './compare-data.ts'
import type { Chosen, CompareState } from './state.ts'

interface ControlsProps {
  readonly data: CompareData
  readonly chosen: Chosen
  readonly state: CompareState
  readonly change: (some: Partial<CompareState>) => void
}

/** Which benchmark, which two models, which instances. */
export const Controls = ({ data, chosen: { task, a, b }, state, change }: ControlsProps): JSX.Element => {
  const keyOf = (model: number): string => data.models[model]?.key ?? ''
  const choose = (some: Partial<CompareState>): void => change({ page: '1', instance: '', ...some })
  const options = (taken: number): readonly JSX.Element[] =>
    task.runs
      .filter(({ model }) => model !== taken)
      .map(({ model }) => (
        <option key={model} value={keyOf(model)}>
          {data.models[model]?.label}
        </option>
      ))
  return (
    <div class="controls" role="group" aria-label="What to compare">
      <Choice label="Benchmark" value={task.key} onChange={(key) => choose({ task: key })}>
        {data.tasks.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </Choice>
      <Choice
        label="Model A"
        value={keyOf(a.model)}
        onChange={(key) => choose({ a: key, b: keyOf(b.model) })}
      >
        {options(b.model)}
      </Choice>
      <Choice
        label="Model B"
        value={keyOf(b.model)}
        onChange={(key) => choose({ a: keyOf(a.model), b: key })}
      >
        {options(a.model)}
      </Choice>
      <button type="button" class="plain" onClick={() => choose({ a: keyOf(b.model), b: keyOf(a.model) })}>
        Swap A and B
      </button>
      <Choice label="Show" value={state.show} onChange={(show) => choose({ show })}>
        <option value="all">All instances</option>
        <option value="differ">Different scores</option>
        {task.lowerIsBetter === undefined ? null : (
          <>
            <option value="a">A better</option>
            <option value="b">B better</option>
          </>
        )}
      </Choice>
    </div>
  )
}
