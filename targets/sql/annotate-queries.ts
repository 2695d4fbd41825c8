import { strip, SPACE } from '../../benchmarks/python/text.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { GoldQueries } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { Failure } from '../../cache/problems/problem.ts'
import type { SqlLimit, SqlOutcome, SqlValue } from './outcome.ts'
import { Float } from '../../benchmarks/python/numbers/number.ts'

/** Raised by hand whenever an annotation changes for the same query, database and answer. */
export const QUERIES_VERSION = '1'

/** Milliseconds. */
const PREDICTED_TIME = 1000
/** The gold query is no stranger's: it may take long on a large database. */
const GOLD_TIME = 60_000
/** A prediction that works as the gold query does is not stopped, however slow the machine. */
const TIMES_GOLD = 10

/** HELM's `annotations.ehr_sql`, and where it may differ from what HELM would have. */
export interface QueryAnnotation {
  /** Undefined where HELM's annotator raises an exception, which ends its run. */
  readonly annotation?: ReadonlyMap<string, PyValue>
  /** Why there is no annotation, or what our box did that HELM does not do. */
  readonly failure?: Failure
}

/** Runs statements; elapsed in milliseconds. */
export type AskDatabase = (
  sql: string,
  milliseconds: number,
) => Promise<{ readonly outcome: SqlOutcome; readonly elapsed: number }>

/** Only these two are read, so that only they are in the result's key. */
type QueryInstance = Pick<Instance, 'references' | 'extraData'>

/** The EhrSqlAnnotator (HELM.md T14), save that no statement can write or run for ever. */
export const annotateQueries = async (
  instance: QueryInstance,
  answer: string,
  run: AskDatabase,
  how: GoldQueries = AS_HELM,
): Promise<QueryAnnotation> => {
  const [reference, ...more] = instance.references
  if (reference === undefined || more.length > 0)
    return { failure: { code: 'sql/references', detail: 'a gold query has to be the only reference' } }
  const { outcome, elapsed } = await run(goldQuery(reference.text, how), GOLD_TIME)
  const gold = goldResult(outcome, instance, how)
  if (gold.rows === undefined) return { failure: gold.failure }
  const query = predictedQuery(answer)
  const predicted =
    query === ''
      ? { rows: [], error: 'No query generated' }
      : predictedResult((await run(query, Math.max(PREDICTED_TIME, TIMES_GOLD * elapsed))).outcome)
  if (predicted.rows.length > 0 && gold.fromValue && gold.rows.some(isUnhashable))
    return {
      failure: { code: 'sql/gold-value', detail: 'the value that stands for the gold rows holds a list' },
    }
  const failure = predicted.failure ?? gold.failure
  return {
    annotation: new Map<string, PyValue>([
      ['predicted_result', predicted.rows],
      ['ground_truth_result', gold.rows],
      ['query_error', predicted.error],
    ]),
    ...(failure === undefined ? {} : { failure }),
  }
}

const AS_HELM: GoldQueries = { noRows: 'values', errors: 'rows' }

/** medhelm 0.8 gives the gold query its time as text, wherever the words stand (HELM.md T14). */
const goldQuery = (text: string, { currentTime }: GoldQueries): string =>
  currentTime === undefined ? strip(text) : strip(text).replaceAll(/current_time/gi, () => `'${currentTime}'`)

type Gold =
  | { readonly rows: readonly PyValue[]; readonly fromValue: boolean; readonly failure?: Failure }
  | { readonly rows: undefined; readonly failure: Failure }

/** An operational error counts as no rows; for those the values of the question's placeholders stand in. */
const goldResult = (outcome: SqlOutcome, { extraData }: QueryInstance, how: GoldQueries): Gold => {
  if (outcome.kind === 'stopped')
    return noGold('sql/gold-stopped', `the gold query was stopped: ${LIMIT_TEXTS[outcome.limit]}`)
  if (outcome.kind === 'error' && (how.errors === 'fail' || outcome.exception !== 'OperationalError'))
    return noGold('sql/gold-query', `the gold query fails: ${outcome.exception}: ${outcome.message}`)
  const rows = outcome.kind === 'rows' ? pythonRows(outcome.rows) : []
  const refused = outcome.kind === 'refused' ? { failure: refusal('gold') } : {}
  if (rows.length > 0 || extraData?.has('value') !== true || how.noRows === 'stay')
    return { rows, fromValue: false, ...refused }
  const value = extraData.get('value')
  if (!(value instanceof Map)) return noGold('sql/gold-value', "the instance's value is no object")
  return { rows: [...value.values()], fromValue: true, ...refused }
}

const noGold = (code: string, detail: string): Gold => ({ rows: undefined, failure: { code, detail } })

interface Predicted {
  readonly rows: readonly PyValue[]
  readonly error: string | null
  readonly failure?: Failure
}

const predictedResult = (outcome: SqlOutcome): Predicted => {
  if (outcome.kind === 'rows') return { rows: pythonRows(outcome.rows), error: null }
  if (outcome.kind === 'error') return { rows: [], error: outcome.message }
  if (outcome.kind === 'refused') return { rows: [], error: 'not authorized', failure: refusal('predicted') }
  const error = `stopped: ${LIMIT_TEXTS[outcome.limit]}`
  return { rows: [], error, failure: { code: `sql/${outcome.limit}-limit`, detail: error } }
}

const LIMIT_TEXTS: Readonly<Record<SqlLimit, string>> = {
  time: 'it took longer than the time allowed',
  memory: 'it took more memory than allowed',
  rows: 'it gave more rows than allowed',
}

const refusal = (which: 'gold' | 'predicted'): Failure => ({
  code: 'sql/refused',
  detail: `the ${which} statement does more than read: HELM would run it on the database that all instances share`,
})

const isUnhashable = (value: PyValue): boolean => Array.isArray(value) || value instanceof Map

const TAGGED = new RegExp(`<[${SPACE}]*sql[${SPACE}]*>(.*?)</?[${SPACE}]*sql[${SPACE}]*>`, 'isu')
const LANGUAGE_LINE = /(?<=^|\n)sql\n/g

/**
 * The query in a model's answer as HELM takes it (HELM.md T14): what stands between `<sql>` tags, else
 * all of it; without back-ticks, without lines that say `sql`.
 */
export const predictedQuery = (answer: string): string => {
  const text = strip(answer)
  const inner = TAGGED.exec(text)?.[1]
  const query = inner === undefined ? text : strip(inner)
  return strip(query.replaceAll('`', '')).replaceAll(LANGUAGE_LINE, '')
}

/**
 * A cell as Python's sqlite3 gives it. Bytes, which HELM can't write to its files (the run ends there), become
 * `{"blob": hex}`.
 */
const pythonValue = (value: SqlValue): PyValue => {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  if (typeof value === 'number') return Number.isInteger(value) ? new Float(value) : value
  return value instanceof Uint8Array ? new Map([['blob', Buffer.from(value).toString('hex')]]) : value
}

const pythonRows = (rows: readonly (readonly SqlValue[])[]): readonly PyValue[] =>
  rows.map((row) => row.map(pythonValue))
