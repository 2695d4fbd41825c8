import { Float } from '../../benchmarks/python/float.ts'
import { pyFloat } from '../../benchmarks/python/number.ts'
import { strip } from '../../benchmarks/python/text.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { RequestState } from '../record/request-state.ts'
import { InstanceProblem } from './instance-problem.ts'
import { gestationalDays, monthDayYear } from './medcalc-dates.ts'
import { flags } from './measure.ts'
import type { Metric } from './metric.ts'
import { intPoint } from './points.ts'

/** Erratum of the benchmark. */
const LAB_CATEGORY = 'lab-category'

const badLimit = (state: RequestState, field: string): InstanceProblem =>
  new InstanceProblem({
    code: 'targets/bad-extra-data',
    message: `instance ${JSON.stringify(state.instance.id)} has no usable ${JSON.stringify(field)} in its extra data`,
    where: { field },
    remedy: `Give every instance category, lower_limit and upper_limit, as the data set MedCalc-Bench does.`,
  })

const extraValue = (state: RequestState, field: string): PyValue => {
  const value = state.instance.extraData?.get(field)
  if (value === undefined) throw badLimit(state, field)
  return value
}

/** Reads a limit or an answer as a number to compare by; undefined where it is none, and then the answer is wrong. */
type Reader = (value: PyValue, field: string) => number | undefined

const dateReader =
  (state: RequestState, read: (text: string) => number | undefined): Reader =>
  (value, field) => {
    if (typeof value !== 'string') throw badLimit(state, field)
    return read(value)
  }

const numberReader =
  (state: RequestState): Reader =>
  (value, field) => {
    if (typeof value === 'string') return pyFloat(value)
    if (value instanceof Float) return value.value
    if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
    throw badLimit(state, field)
  }

/** 1 when the answer lies between the limits, both included. */
const isBetween = (state: RequestState, answer: string, read: Reader): number => {
  const lower = read(extraValue(state, 'lower_limit'), 'lower_limit')
  if (lower === undefined) return 0
  const upper = read(extraValue(state, 'upper_limit'), 'upper_limit')
  if (upper === undefined) return 0
  const given = read(answer, 'answer')
  return given !== undefined && lower <= given && given <= upper ? 1 : 0
}

const accuracy = (state: RequestState, answer: string, gold: string, corrected: boolean): number => {
  switch (extraValue(state, 'category')) {
    case 'risk':
    case 'severity':
    case 'diagnosis':
      return answer === gold ? 1 : 0
    case 'date':
      return isBetween(
        state,
        answer,
        dateReader(state, gestationalDays(gold) === undefined ? monthDayYear : gestationalDays),
      )
    case 'dosage conversion':
    case 'physical':
      return isBetween(state, answer, numberReader(state))
    case 'lab':
    case 'dosage':
      return corrected ? isBetween(state, answer, numberReader(state)) : 0
    default:
      return 0
  }
}

/**
 * HELM's MedCalcBenchMetric (medhelm-benchmarks.md §4.4): `medcalc_bench_accuracy`, 0 or 1, higher is better.
 * As in HELM any category but the six it knows scores 0; in the published test file that makes `lab` and `dosage`,
 * 367 of 1,047 items, unanswerable; with the erratum `lab-category` corrected their limits count, too. Without a reference or a completion there is no value.
 * @throws InstanceProblem for missing limits or category
 */
export const medcalcBench: Metric = {
  id: 'medcalc_bench',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 MedCalcBenchMetric',
  measures: flags(['medcalc_bench_accuracy'], { better: 'higher' }),
  reads: ['instance', 'completions'],
  corrects: [LAB_CATEGORY],
  evaluate: (state, { corrected }) => {
    const [reference] = state.instance.references
    const [completion] = state.result?.completions ?? []
    if (reference === undefined || completion === undefined) return []
    const labs = corrected?.includes(LAB_CATEGORY) ?? false
    const right = accuracy(state, strip(completion.text), reference.text, labs)
    return [intPoint('medcalc_bench_accuracy', right)]
  },
}
