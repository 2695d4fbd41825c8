import { anything, oneOf, type AddressRules } from '../../address-rules.ts'
import type { CompareData, CompareTask } from './compare-data.ts'

/** What is compared, as the address keeps it; empty fields stand for the first that there is. */
export const DEFAULT_COMPARE_STATE = {
  /** Deployments. */
  a: '',
  b: '',
  /** Of the differences: `difference`, `category` or `instances`. */
  order: 'difference',
  /** `CompareTask.key`. */
  task: '',
  /** `all`, `differ`, `a` or `b`: which side is better. */
  show: 'all',
  /** From 1. */
  page: '1',
  instance: '',
}

export type CompareState = Readonly<typeof DEFAULT_COMPARE_STATE>

/** What an address may name; whether an instance or a page is there is told where it is looked for. */
export const compareRules = ({ models, tasks }: CompareData): AddressRules<CompareState> => {
  const model = oneOf('model', (key) => models.some((each) => each.key === key))
  return {
    a: model,
    b: model,
    order: oneOf('order', (text) => ORDERS.some((each) => each === text)),
    task: oneOf('task', (key) => tasks.some((task) => task.key === key)),
    show: oneOf('choice', (text) => SHOWN.some((each) => each === text)),
    page: anything,
    instance: anything,
  }
}

const ORDERS = ['difference', 'category', 'instances'] as const
const SHOWN = ['all', 'differ', 'a', 'b'] as const

/** Two models, as places among the data's. */
export interface ChosenModels {
  readonly a: number
  readonly b: number
}

/** A model that is not named, or not there, gives way to the best that is not taken. Undefined without two models. */
export const chooseModels = (
  { models }: CompareData,
  state: Pick<CompareState, 'a' | 'b'>,
): ChosenModels | undefined => {
  if (models.length < 2) return undefined
  const placeOf = (key: string): number => models.findIndex((model) => model.key === key)
  const wantedB = placeOf(state.b)
  const free = (taken: number): number => (taken === 0 ? 1 : 0)
  const a = placeOf(state.a) === -1 ? free(wantedB) : placeOf(state.a)
  return {
    a,
    b: wantedB === -1 || wantedB === a ? free(a) : wantedB,
  }
}

/** Answers that can be laid side by side. */
export interface ChosenTask {
  readonly task: CompareTask
  readonly a: CompareTask['runs'][number]
  readonly b: CompareTask['runs'][number]
}

/** The tasks that both models have, in order. */
export const sharedTasks = (
  { tasks }: CompareData,
  { a, b }: Pick<ChosenModels, 'a' | 'b'>,
): readonly ChosenTask[] =>
  tasks.flatMap((task) => {
    const [left, right] = [a, b].map((model) => task.runs.find((run) => run.model === model))
    return left === undefined || right === undefined ? [] : [{ task, a: left, b: right }]
  })
