import { Float } from '../../benchmarks/python/float.ts'
import { strip } from '../../benchmarks/python/text.ts'
import { isTruthy } from '../../benchmarks/python/truth.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { InstanceProblem } from './instance-problem.ts'
import { firstCompletion } from './scoring/first-completion.ts'
import { EHR_SQL_MEASURES } from './declared-measures.ts'
import type { Metric, MetricPoint } from './metric.ts'
import { intPoint } from './scoring/points.ts'

/** A text that two values share exactly when Python holds them equal: 2 and 2.0 and true-as-1, but not 2^53+1 and its float. */
const equalityKey = (value: PyValue): string => {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Float) return numberKey(value.value)
  if (typeof value === 'number') return numberKey(value)
  if (value instanceof Map)
    return `{${[...value].map(([name, entry]) => `${JSON.stringify(name)}:${equalityKey(entry)}`).join(',')}}`
  return `[${(value as readonly PyValue[]).map(equalityKey).join(',')}]`
}

const numberKey = (value: number): string =>
  Number.isInteger(value) ? BigInt(value).toString() : String(value)

/** Python's `set(a) == set(b)`: order and repetition of rows don't count, order of columns does. */
const sameRows = (a: readonly PyValue[], b: readonly PyValue[]): boolean => {
  const left = new Set(a.map(equalityKey))
  const right = new Set(b.map(equalityKey))
  return left.size === right.size && [...left].every((key) => right.has(key))
}

const listOf = (annotation: ReadonlyMap<string, PyValue>, field: string): readonly PyValue[] => {
  const value = annotation.get(field)
  if (Array.isArray(value)) return value
  throw new TypeError(`the annotation ehr_sql has no list ${field}`)
}

/** Erratum of the benchmark. */
const EMPTY_RESULTS = 'empty-results'

const flag = (name: string, value: boolean): MetricPoint => intPoint(`ehr_sql_${name}`, value ? 1 : 0)

const noGold = (id: string | number): InstanceProblem =>
  new InstanceProblem({
    code: 'targets/no-reference',
    message: `instance ${JSON.stringify(id)} has no gold query`,
    remedy: 'Give every instance the right query as its reference.',
  })

/**
 * HELM's EhrSqlMetric (HELM.md T20): six values, each 0 or 1, higher is better. Execution accuracy is 1
 * where the predicted and the gold query give the same set of rows; a right query without rows scores 0, as in HELM
 * (with the erratum `empty-results` corrected, two empty results are equal, and a query that is missing or fails is not),
 * and "precision" and "recall" are both the flag that an answerable question was answered. Without an annotation
 * there is no value.
 * @throws InstanceProblem without a reference or a completion
 */
export const ehrSql: Metric = {
  id: 'ehr_sql',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 EhrSqlMetric',
  measures: EHR_SQL_MEASURES,
  reads: ['instance', 'completions', 'annotations'],
  corrects: [EMPTY_RESULTS],
  evaluate: (state, { corrected }) => {
    const annotation = state.annotations?.get('ehr_sql')
    if (!(annotation instanceof Map)) return []
    const { id, references, extraData } = state.instance
    const [reference] = references
    if (reference === undefined) throw noGold(id)
    const predictedRows = listOf(annotation, 'predicted_result')
    const goldRows = listOf(annotation, 'ground_truth_result')
    const predicted = strip(firstCompletion(state).text) !== ''
    const gold = strip(reference.text) !== ''
    const valid = predicted && annotation.get('query_error') === null
    const answerable = gold && !isTruthy(extraData?.get('is_impossible') ?? null)
    const accurate =
      predictedRows.length > 0 && goldRows.length > 0
        ? sameRows(predictedRows, goldRows)
        : predictedRows.length === 0 &&
          goldRows.length === 0 &&
          (corrected?.includes(EMPTY_RESULTS) === true ? valid : !predicted)
    return [
      flag('execution_accuracy', gold && accurate),
      flag('query_validity', valid),
      flag('precision_answerable', answerable && predicted),
      flag('recall_answerable', answerable && predicted),
      flag('total_predicted_answerable', predicted),
      flag('total_ground_truth_answerable', answerable),
    ]
  },
}
