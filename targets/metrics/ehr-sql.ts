import { Float } from '../../benchmarks/python/numbers/number.ts'
import { strip } from '../../benchmarks/python/text.ts'
import { isDict, isList } from '../../benchmarks/python/kinds.ts'
import { isTruthy, type PyValue } from '../../benchmarks/python/value.ts'
import {
  InstanceProblem,
  firstCompletion,
  flag,
  type BuiltInMetric,
  type MetricPoint,
  intPoint,
} from './metric.ts'

/** A text that two values share exactly when Python holds them equal: 2 and 2.0 and true-as-1, but not 2^53+1 and its float. */
const equalityKey = (value: PyValue): string => {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Float) return numberKey(value.value)
  if (typeof value === 'number') return numberKey(value)
  if (isDict(value))
    return `{${[...value].map(([name, entry]) => `${JSON.stringify(name)}:${equalityKey(entry)}`).join(',')}}`
  return `[${value.map(equalityKey).join(',')}]`
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
  if (isList(value)) return value
  throw new TypeError(`the annotation ehr_sql has no list ${field}`)
}

/** Erratum of the benchmark. */
const EMPTY_RESULTS = 'empty-results'

const valueOf = (name: string, value: boolean): MetricPoint => intPoint(`ehr_sql_${name}`, value ? 1 : 0)

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
export const ehrSql: BuiltInMetric = {
  id: 'ehr_sql',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 EhrSqlMetric',
  className: 'ehr_sql_metrics.EhrSqlMetric',
  measures: [
    flag('ehr_sql_execution_accuracy', {
      better: 'higher',
      displayName: 'Right query results',
      shortDisplayName: 'Right results',
      description: 'Share of questions whose query gives the same set of rows as the gold query.',
    }),
    flag('ehr_sql_query_validity', {
      better: 'higher',
      displayName: 'Queries that run',
      description: 'Share of questions that are answered with a query which the database executes.',
    }),
    flag('ehr_sql_precision_answerable', {
      better: 'higher',
      displayName: 'Answerable and answered (as precision)',
      shortDisplayName: 'Answered (P)',
      description:
        'Share of all questions that can be answered and were; HELM calls it precision, and it equals the next.',
    }),
    flag('ehr_sql_recall_answerable', {
      better: 'higher',
      displayName: 'Answerable and answered (as recall)',
      shortDisplayName: 'Answered (R)',
      description:
        'Share of all questions that can be answered and were; HELM calls it recall, and it equals the one before.',
    }),
    flag('ehr_sql_total_predicted_answerable', {
      better: 'higher',
      displayName: 'Questions answered with a query',
      shortDisplayName: 'Queries',
      description: 'Share of questions to which any query was given.',
    }),
    flag('ehr_sql_total_ground_truth_answerable', {
      better: 'higher',
      displayName: 'Questions that can be answered',
      shortDisplayName: 'Answerable',
      description: 'Share of questions that the data can answer: it is of the benchmark, not of the model.',
    }),
  ],
  lead: { as: 'made for the benchmark', name: () => 'ehr_sql_execution_accuracy' },
  reads: ['instance', 'completions', 'annotations'],
  corrects: [EMPTY_RESULTS],
  evaluate: (state, { corrected }) => {
    const annotation = state.annotations?.get('ehr_sql')
    if (!isDict(annotation)) return []
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
      valueOf('execution_accuracy', gold && accurate),
      valueOf('query_validity', valid),
      valueOf('precision_answerable', answerable && predicted),
      valueOf('recall_answerable', answerable && predicted),
      valueOf('total_predicted_answerable', predicted),
      valueOf('total_ground_truth_answerable', answerable),
    ]
  },
}
