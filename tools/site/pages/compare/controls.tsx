import type { JSX } from 'preact'
import { Choice } from '../../components/choice.tsx'
import type { CompareData } from './compare-data.ts'
import type { ChosenModels, ChosenTask, CompareState } from './state.ts'

type Change = (some: Partial<CompareState>) => void

/** Which two models. */
export const ModelControls = ({
  data: { models },
  chosen: { a, b },
  change,
}: {
  readonly data: CompareData
  readonly chosen: ChosenModels
  readonly change: Change
}): JSX.Element => {
  const keyOf = (place: number): string => models[place]?.key ?? ''
  const choose = (left: string, right: string): void => change({ a: left, b: right, page: '1', instance: '' })
  const options = (taken: number): readonly (readonly [string, string])[] =>
    models.flatMap(({ key, label }, place) => (place === taken ? [] : [[key, label] as const]))
  return (
    <div class="controls" role="group" aria-label="What to compare">
      <Choice
        label="Model A"
        value={keyOf(a)}
        options={options(b)}
        onChange={(key) => choose(key, keyOf(b))}
      />
      <button type="button" class="plain" onClick={() => choose(keyOf(b), keyOf(a))}>
        Swap A and B
      </button>
      <Choice
        label="Model B"
        value={keyOf(b)}
        options={options(a)}
        onChange={(key) => choose(keyOf(a), key)}
      />
    </div>
  )
}

/** Which benchmark's answers, and which of them. */
export const AnswerControls = ({
  tasks,
  task,
  state,
  change,
}: {
  readonly tasks: readonly ChosenTask[]
  readonly task: ChosenTask['task']
  readonly state: CompareState
  readonly change: Change
}): JSX.Element => {
  const choose = (some: Partial<CompareState>): void => change({ page: '1', instance: '', ...some })
  return (
    <div class="controls" role="group" aria-label="Which answers">
      <Choice
        label="Benchmark"
        value={task.key}
        options={tasks.map(({ task: { key, label } }) => [key, label])}
        onChange={(key) => choose({ task: key })}
      />
      <Choice
        label="Show"
        value={state.show}
        options={[
          ['all', 'All instances'],
          ['differ', 'Different scores'],
          ...(task.lowerIsBetter === undefined
            ? []
            : ([
                ['a', 'A better'],
                ['b', 'B better'],
              ] as const)),
        ]}
        onChange={(show) => choose({ show })}
      />
    </div>
  )
}
