import type { CompareData, CompareTask } from './compare-data.ts'

/** What is compared, as the address keeps it; empty fields stand for the first that there is. */
export interface CompareState {
  /** `CompareTask.key`. */
  readonly task: string
  /** Deployments. */
  readonly a: string
  readonly b: string
  /** `all`, `differ`, `a` or `b`: which side is better. */
  readonly show: string
  /** From 1. */
  readonly page: string
  readonly instance: string
}

export const DEFAULT_COMPARE_STATE = {
  task: '',
  a: '',
  b: '',
  show: 'all',
  page: '1',
  instance: '',
} satisfies CompareState

/** `CompareState` as fields of an address. */
export type CompareFields = { readonly [Name in keyof CompareState]: string }

/** What a state names: places among the task's runs. */
export interface Chosen {
  readonly task: CompareTask
  readonly a: CompareTask['runs'][number]
  readonly b: CompareTask['runs'][number]
}

/** Undefined where nothing can be compared. A model that the task lacks gives way to the best that is not taken. */
export const choose = (
  { models, tasks }: CompareData,
  state: Pick<CompareState, 'task' | 'a' | 'b'>,
): Chosen | undefined => {
  const task = tasks.find(({ key }) => key === state.task) ?? tasks[0]
  if (task === undefined) return undefined
  const runOf = (key: string): CompareTask['runs'][number] | undefined =>
    task.runs.find(({ model }) => models[model]?.key === key)
  const wantedB = runOf(state.b)
  const a = runOf(state.a) ?? task.runs.find((run) => run !== wantedB)
  const b = wantedB ?? task.runs.find((run) => run !== a)
  return a === undefined || b === undefined ? undefined : { task, a, b }
}
