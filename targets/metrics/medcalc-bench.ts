import { Float, pyFloat, pyInt } from '../../benchmarks/python/numbers/number.ts'
import { strip, DIGIT } from '../../benchmarks/python/text.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { RequestState } from '../record/request-state.ts'
import { InstanceProblem, flag, type BuiltInMetric, intPoint } from './metric.ts'

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

/** The limits; undefined where one can't be read. */
const limitsOf = (state: RequestState, read: Reader): { lower: number; upper: number } | undefined => {
  const lower = read(extraValue(state, 'lower_limit'), 'lower_limit')
  if (lower === undefined) return undefined
  const upper = read(extraValue(state, 'upper_limit'), 'upper_limit')
  return upper === undefined ? undefined : { lower, upper }
}

/** Reads what the category compares by limits; undefined where it compares texts or, as HELM, nothing. */
const readerOf = (state: RequestState, gold: string, corrected: boolean): Reader | undefined => {
  switch (extraValue(state, 'category')) {
    case 'date':
      return dateReader(state, gestationalDays(gold) === undefined ? monthDayYear : gestationalDays)
    case 'dosage conversion':
    case 'physical':
      return numberReader(state)
    case 'lab':
    case 'dosage':
      return corrected ? numberReader(state) : undefined
    default:
      return undefined
  }
}

/** 1 when the answer lies between the limits, both included. */
const isBetween = (state: RequestState, answer: string, read: Reader): number => {
  const limits = limitsOf(state, read)
  if (limits === undefined) return 0
  const given = read(answer, 'answer')
  return given !== undefined && limits.lower <= given && given <= limits.upper ? 1 : 0
}

const TEXTS: ReadonlySet<PyValue> = new Set(['risk', 'severity', 'diagnosis'])

const accuracy = (state: RequestState, answer: string, gold: string, corrected: boolean): number => {
  if (TEXTS.has(extraValue(state, 'category'))) return answer === gold ? 1 : 0
  const read = readerOf(state, gold, corrected)
  return read === undefined ? 0 : isBetween(state, answer, read)
}

const isCorrected = ({ corrected }: MetricSpec): boolean => corrected?.includes(LAB_CATEGORY) ?? false

/**
 * HELM's MedCalcBenchMetric (HELM.md T20): `medcalc_bench_accuracy`, 0 or 1, higher is better.
 * As in HELM any category but the six it knows scores 0; in the published test file that makes `lab` and `dosage`,
 * 367 of 1,047 items, unanswerable; with the erratum `lab-category` corrected their limits count, too. Without a
 * reference or a completion there is no value. Where a limit can't be read every answer scores 0, and a failure says so.
 * @throws InstanceProblem for missing limits or category
 */
export const medcalcBench: BuiltInMetric = {
  id: 'medcalc_bench',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 MedCalcBenchMetric',
  className: 'medcalc_bench_metrics.MedCalcBenchMetric',
  measures: [
    flag('medcalc_bench_accuracy', {
      better: 'higher',
      displayName: 'Right calculations',
      description:
        'Share of right answers: the very text where a risk, a severity or a diagnosis is asked for, and a number or date between the limits elsewhere.',
    }),
  ],
  lead: { as: 'made for the benchmark', name: () => 'medcalc_bench_accuracy' },
  reads: ['instance', 'completions'],
  corrects: [LAB_CATEGORY],
  evaluate: (state, spec) => {
    const [reference] = state.instance.references
    const [completion] = state.result?.completions ?? []
    if (reference === undefined || completion === undefined) return []
    const right = accuracy(state, strip(completion.text), reference.text, isCorrected(spec))
    return [intPoint('medcalc_bench_accuracy', right)]
  },
  failures: (state, spec) => {
    const [reference] = state.instance.references
    const read = reference && readerOf(state, reference.text, isCorrected(spec))
    if (read === undefined || limitsOf(state, read) !== undefined) return []
    const detail = 'a limit is neither a number nor a date: HELM counts every answer as wrong'
    return [{ part: 'medcalc_bench', cause: { code: 'bad-limit', detail } }]
  },
}

const GESTATION = new RegExp(`^\\('([${DIGIT}]+) weeks', '([${DIGIT}]+) days'\\)`, 'u')

/** Days of a gestational age such as `('38 weeks', '2 days')`; undefined for anything else. */
export const gestationalDays = (text: string): number | undefined => {
  const [, weeks, days] = GESTATION.exec(text) ?? []
  if (weeks === undefined || days === undefined) return undefined
  return Number(pyInt(weeks)) * 7 + Number(pyInt(days))
}

const DATE = new RegExp(
  `^(1[0-2]|0[1-9]|[1-9])/(3[0-1]|[1-2][${DIGIT}]|0[1-9]|[1-9]| [1-9])/([${DIGIT}]{4})$`,
  'u',
)

/** What Python's strptime reads as `%m/%d/%Y`, as a number that orders dates; undefined where it raises. */
export const monthDayYear = (text: string): number | undefined => {
  const [month = 0, day = 0, year = 0] = (DATE.exec(text) ?? []).slice(1).map((part) => Number(pyInt(part)))
  // Day 0 of the next month is the last of this one; a year in 400 years' time has the same months.
  const last = new Date(Date.UTC(year + 400, month, 0)).getUTCDate()
  return year > 0 && day <= last ? (year * 12 + month) * 31 + day : undefined
}
