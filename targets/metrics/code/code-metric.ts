import { boundedCall } from '../../../cache/user-code/bounded-call.ts'
import { requestText } from '../../adapters/prompt.ts'
import type {
  Measure,
  MetricCode,
  MetricCodeInput,
  AnnotatorCodeInput,
} from '../../../benchmarks/scenario/metric-code.ts'
import type { MetricSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { RequestState } from '../../record/request-state.ts'
import { InstanceProblem, type Metric, type MetricPoint } from '../metric.ts'
import { atEnd } from '../../statistics/scale.ts'
import { reasonOf, ProblemError } from '../../../cache/problems/problem.ts'
import type { JsonObject, Json } from '../../../cache/values/json.ts'
import { isDict, isList } from '../../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { inputText, isCorrect, type Instance } from '../../../benchmarks/scenario/instance.ts'
import { Float } from '../../../benchmarks/python/numbers/number.ts'

/** A workspace's metric as one of ours. Its key holds the digest of its code; the version is of how its values are read. */
export const codeMetric = (code: MetricCode): Metric => ({
  id: code.id,
  version: 'code-2',
  source: `targets/metrics/${code.id}`,
  measures: code.measures,
  reads: ['instance', 'prompt', 'completions', 'annotations'],
  evaluate: (state, spec) => {
    const lacking = spec.needs?.find((annotator) => state.annotations?.has(annotator) !== true)
    if (lacking !== undefined) throw noAnnotation(code, lacking)
    return pointsOf(code, evaluated(code, inputOf(state, spec)))
  },
})

const inputOf = (state: RequestState, { helm }: MetricSpec): MetricCodeInput => {
  const { instance, request, result, annotations } = state
  const completions = result?.completions.map(({ text }) => text) ?? []
  return {
    ...codeInput(instance),
    prompt: requestText(request),
    completion: completions[0] ?? '',
    completions,
    annotations: plainRecord(annotations),
    args: plainRecord(helm.args.get('args')),
  }
}

/** Values by name, read out at once: a getter may throw as well as the metric itself, and never end. */
const evaluated = (code: MetricCode, input: MetricCodeInput): ReadonlyMap<string, unknown> => {
  let values: ReadonlyMap<string, unknown> | string
  try {
    values = boundedCall(`metric ${code.id}`, () => readOut(code.evaluate(input)))
  } catch (error) {
    // Not the metric's fault: the next run asks it again.
    if (error instanceof ProblemError) throw error
    throw fault(code, `it ended with: ${reasonOf(error)}`, 'metrics/code-value')
  }
  if (typeof values === 'string') throw fault(code, values)
  return values
}

/** Values by name, or what was given in their place. */
const readOut = (values: unknown): ReadonlyMap<string, unknown> | string => {
  if (values instanceof Promise) {
    // Nobody awaits it, and it may fail.
    values.catch(() => undefined)
    return 'it gave a promise, and evaluate can not wait'
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return 'it gave no object of numbers by name'
  return new Map<string, unknown>(Object.entries(values))
}

/** Values by the names of the measures; null is no value. */
const pointsOf = (code: MetricCode, given: ReadonlyMap<string, unknown>): readonly MetricPoint[] => {
  const stray = [...given.keys()].find((name) => !code.measures.some((measure) => measure.name === name))
  if (stray !== undefined)
    throw fault(code, `it gave ${JSON.stringify(stray)}, which is none of its measures`, 'metrics/code-value')
  return code.measures.map((measure) => pointOf(code, measure, given.get(measure.name)))
}

const WHOLE: ReadonlySet<string> = new Set(['0 or 1', 'count'])

const pointOf = (code: MetricCode, measure: Measure, given: unknown): MetricPoint => {
  const { name, least, most } = measure
  const float = !WHOLE.has(measure.unit)
  if (given === null) return { name, value: null, float: false }
  const read = typeof given === 'boolean' ? Number(given) : given
  if (typeof read !== 'number' || !Number.isFinite(read)) throw fault(code, `${name} is no number`)
  const scale = float && least !== null && most !== null ? { low: least, high: most } : undefined
  const end = atEnd(read, scale)
  // Which would make 0 of −0.
  const value = end === read ? read : end
  // Spreads are made of squares.
  if (!Number.isFinite(value * value * 1e9)) throw fault(code, `${name} is ${value}, too large to sum up`)
  if (value < (least ?? -Infinity) || value > (most ?? Infinity))
    throw fault(code, `${name} is ${value}, which is outside of ${least ?? '−∞'} to ${most ?? '∞'}`)
  if (!float && !Number.isInteger(value)) throw fault(code, `${name} is ${value}, no whole number`)
  return { name, value, float }
}

const noAnnotation = ({ id }: MetricCode, annotator: string): InstanceProblem =>
  new InstanceProblem({
    code: 'metrics/no-annotation',
    message: `the metric ${id} was not asked: the answer has no annotation of ${annotator}`,
    remedy: `Look at what targets/annotators/${annotator} ended with.`,
  })

/** @param problem `metrics/code-form` for words of ours alone, which may be told of texts that are not public, too */
const fault = ({ id }: MetricCode, what: string, problem = 'metrics/code-form'): InstanceProblem =>
  new InstanceProblem({
    code: problem,
    message: `the metric ${id} gave no value: ${what}`,
    remedy: `Let targets/metrics/${id} return a number, a boolean or null for each of its measures.`,
  })

/** What a workspace's code is told of an instance. */
export const codeInput = (
  instance: Instance,
): Pick<AnnotatorCodeInput, 'input' | 'references' | 'split'> & { readonly extra: JsonObject } => ({
  input: inputText(instance),
  references: instance.references.map((reference) => ({
    text: reference.text,
    correct: isCorrect(reference),
  })),
  extra: plainRecord(instance.extraData),
  split: instance.split,
})

/** A dict as plain JSON; an empty one for anything else. */
export const plainRecord = (value: PyValue | undefined): JsonObject =>
  isDict(value) ? (plainJson(value) as JsonObject) : {}

/**
 * A Python value as plain JavaScript: dicts as objects, floats and ints as numbers. Ints beyond 2^53 become texts, as a
 * number could not hold them.
 */
const plainJson = (value: PyValue): Json => {
  if (value instanceof Float) return value.value
  if (typeof value === 'bigint') return value.toString()
  if (isDict(value)) return Object.fromEntries([...value].map(([key, item]) => [key, plainJson(item)]))
  return isList(value) ? value.map(plainJson) : value
}
