import { Float, numberOf } from '../../../benchmarks/python/numbers/number.ts'
import { writtenOften } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { PerInstanceStats, Perturbation, Stat, StatName } from '../../../targets/record/stat.ts'
import { dict, flag, id, int, list, number, optional, record, text, type Form } from './form.ts'

/** A perturbation that no benchmark of ours makes, with HELM's own fields for it. */
export interface OtherPerturbation {
  readonly name: string
  readonly computedOn: string
  readonly fields: ReadonlyMap<string, PyValue>
}

/** A stat's name as HELM's files may hold it: with any perturbation. */
export interface HelmStatName extends Omit<StatName, 'perturbation'> {
  readonly perturbation?: Perturbation | OtherPerturbation
}

/** A Stat as HELM's files may hold it; every Stat of ours is one. */
export interface HelmStat extends Omit<Stat, 'name'> {
  readonly name: HelmStatName
}

/** An element of per_instance_stats.json as HELM's files may hold it. */
export interface HelmPerInstanceStats extends Omit<PerInstanceStats, 'stats'> {
  readonly perturbation?: ReadonlyMap<string, PyValue>
  readonly stats: readonly HelmStat[]
}

const worstCaseForm = record<Perturbation>({
  name: text as Form<Perturbation['name']>,
  robustness: flag,
  fairness: flag,
  computedOn: text as Form<'worst'>,
})

const textOr = (value: PyValue | undefined): string => (typeof value === 'string' ? value : '')

const perturbationForm: Form<Perturbation | OtherPerturbation> = {
  write: (value) => ('fields' in value ? value.fields : worstCaseForm.write(value)),
  read: (value, at) => {
    const fields = dict.read(value, at)
    const name = textOr(fields.get('name'))
    const isWorstCase = fields.size === 4 && (name === 'robustness' || name === 'fairness')
    return isWorstCase
      ? worstCaseForm.read(fields, at)
      : { name, computedOn: textOr(fields.get('computed_on')), fields }
  },
}

/** What HELM declares a float of the perturbations that it knows, and may have printed as an int. */
const PROBABILITIES: ReadonlySet<string> = new Set(['prob', 'insert_prob', 'rare_char_prob'])

/** A perturbation's fields as HELM prints them after reading them back: declared floats are floats. */
export const refloatedFields = (fields: ReadonlyMap<string, PyValue>): ReadonlyMap<string, PyValue> =>
  new Map(
    [...fields].map(([key, value]) => [
      key,
      typeof value === 'number' && PROBABILITIES.has(key) ? new Float(value) : value,
    ]),
  )

/** A stat as HELM prints it after reading it back. */
export const refloatedStat = (stat: HelmStat): HelmStat => {
  const { perturbation } = stat.name
  const name =
    perturbation === undefined || !('fields' in perturbation)
      ? stat.name
      : { ...stat.name, perturbation: { ...perturbation, fields: refloatedFields(perturbation.fields) } }
  return { ...stat, name, float: true, varianceIsInt: false }
}

const nameForm = record<HelmStatName>({
  name: text,
  split: optional(text),
  subSplit: optional(text),
  perturbation: optional(perturbationForm),
})

/** Stat's numbers as they stand in a file, before Python's types are folded into `float`. */
interface Numbers {
  readonly name: HelmStatName
  readonly count: number
  readonly sum: number | Float
  readonly sumSquared: number | Float
  readonly min?: number | Float
  readonly max?: number | Float
  readonly mean?: number | Float
  readonly variance?: number | Float
  readonly stddev?: number | Float
}

/** An int beyond 2^53 is the float nearest to it, as HELM itself reads it. */
const amount: Form<number | Float> = {
  ...number,
  read: (value, at) => (typeof value === 'bigint' ? new Float(Number(value)) : number.read(value, at)),
}

/** Stat in HELM's order (targets/HELM.md T15). */
const numbersForm = record<Numbers>({
  name: nameForm,
  count: int,
  sum: amount,
  sumSquared: amount,
  min: optional(amount),
  max: optional(amount),
  mean: optional(amount),
  variance: optional(amount),
  stddev: optional(amount),
})

const isFloat = (value: number | Float): boolean => value instanceof Float || !Number.isInteger(value)

export const statForm: Form<HelmStat> = {
  write: ({ float, varianceIsInt, ...stat }) => {
    const typed = (value: number): number | Float => (float ? new Float(value) : value)
    return numbersForm.write({
      ...stat,
      sum: typed(stat.sum),
      sumSquared: typed(stat.sumSquared),
      ...(stat.min === undefined ? {} : { min: typed(stat.min) }),
      ...(stat.max === undefined ? {} : { max: typed(stat.max) }),
      ...(stat.mean === undefined ? {} : { mean: new Float(stat.mean) }),
      ...(stat.variance === undefined
        ? {}
        : { variance: varianceIsInt === true ? stat.variance : new Float(stat.variance) }),
      ...(stat.stddev === undefined ? {} : { stddev: new Float(stat.stddev) }),
    })
  },
  read: (value, at) => {
    const { name, count, sum, sumSquared, min, max, mean, variance, stddev } = numbersForm.read(value, at)
    return {
      name,
      count,
      sum: numberOf(sum),
      sumSquared: numberOf(sumSquared),
      ...(min === undefined ? {} : { min: numberOf(min) }),
      ...(max === undefined ? {} : { max: numberOf(max) }),
      ...(mean === undefined ? {} : { mean: numberOf(mean) }),
      ...(variance === undefined ? {} : { variance: numberOf(variance) }),
      ...(variance === undefined || isFloat(variance) ? {} : { varianceIsInt: true }),
      ...(stddev === undefined ? {} : { stddev: numberOf(stddev) }),
      float: isFloat(sum) || isFloat(sumSquared),
    }
  },
}

interface Met {
  readonly stat: HelmStat
  readonly form: PyValue
}

/** Stats of instances by metric and sum: most of a run's are equal, zeros and ones above all. */
const met = new Map<string, Map<number, Met>>()
/** Sums of a metric that are kept: a run may have no two alike. */
const MET = 1000

const NUMBERS = ['count', 'sum', 'sumSquared', 'min', 'max', 'mean', 'variance', 'stddev'] as const

const areEqual = (a: HelmStat, b: HelmStat): boolean =>
  NUMBERS.every((key) => Object.is(a[key], b[key])) &&
  a.float === b.float &&
  a.varianceIsInt === b.varianceIsInt &&
  a.name.split === b.name.split &&
  a.name.subSplit === b.name.subSplit &&
  a.name.perturbation === b.name.perturbation

const instanceStatForm: Form<HelmStat> = {
  ...statForm,
  write: (stat) => {
    let sums = met.get(stat.name.name)
    if (sums === undefined) met.set(stat.name.name, (sums = new Map()))
    const before = sums.get(stat.sum)
    if (before !== undefined && areEqual(before.stat, stat)) return before.form
    const form = statForm.write(stat)
    if (before !== undefined || sums.size === MET) return form
    sums.set(stat.sum, { stat, form: writtenOften(form) })
    return form
  },
}

/** PerInstanceStats in HELM's order (HELM.md F2). */
export const perInstanceStatsForm: Form<HelmPerInstanceStats> = record<HelmPerInstanceStats>({
  instanceId: id,
  perturbation: optional(dict),
  trainTrialIndex: int,
  stats: list(instanceStatForm),
})

/** HELM drops stats whose sum is NaN when it writes a run (targets/HELM.md T15). */
export const isWritten = (stat: HelmStat): boolean => !Number.isNaN(stat.sum)
