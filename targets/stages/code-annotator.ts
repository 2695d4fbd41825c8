import { boundedCall } from '../../cache/user-code/bounded-call.ts'
import { timedCall } from '../../cache/user-code/timed-call.ts'
import { loads } from '../../benchmarks/python/json.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type {
  AnnotatorCode,
  AnnotatorCodeInput,
  AnnotationPart,
} from '../../benchmarks/scenario/metric-code.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { digestJson, digestOf, type Digest, keyTemplate } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import { asJson } from '../../cache/stored-shape.ts'
import { done, type Failure, type Outcome, fieldOf, reasonOf, thrown } from '../../cache/problems/problem.ts'
import { atEnd } from '../statistics/scale.ts'
import type { StageEnv } from '../env/env.ts'
import { codeAnnotatorKey } from '../keys/keys.ts'
import { codeInput, plainRecord } from '../metrics/code/code-metric.ts'
import type { Annotator } from './judge.ts'

type Env = Pick<StageEnv, 'store' | 'stop'>

/**
 * A workspace's own code that says something of each answer. A result is kept under the code's digest, the instance's
 * texts and the answer, and so is what the code threw, unless it says that it may succeed later or was out of time.
 */
export const codeAnnotator = (code: AnnotatorCode, env: Env): Annotator => {
  const template = keyTemplate<'instance' | 'answer', 'annotation'>(codeAnnotatorKey(code), [
    'instance',
    'answer',
  ])
  const keyOf = (instance: Instance, answer: string): Digest<'annotation'> =>
    template.digest({
      // Extra data is what the data file held: JSON, though its type says nothing.
      instance: digestJson<'instance'>(asJson(codeInput(instance))),
      answer: digestOf<'text'>(answer),
    })
  const load = (digest: Digest<'annotation'>): Outcome<PyValue> | undefined => {
    const stored = env.store.get('annotations', digest) as
      | { readonly annotation: string }
      | { readonly cause: Failure }
      | undefined
    if (stored === undefined) return undefined
    return 'cause' in stored ? { kind: 'failed', cause: stored.cause } : done(loads(stored.annotation))
  }
  return {
    columns: 1,
    run: async (instance, answer) => {
      const digest = keyOf(instance, answer)
      const known = load(digest)
      const said = { judge: code.id, retriable: false, digest, cached: known !== undefined }
      if (known !== undefined) return [{ ...said, outcome: known }]
      const input = { ...codeInput(instance), completion: answer, args: plainRecord(code.args) }
      const { outcome, retriable } = await annotated(code, input, env.stop)
      if (retriable) return [{ judge: code.id, outcome, retriable, cached: false }]
      await env.store.put('annotations', digest, pack(outcome))
      return [{ ...said, outcome }]
    },
    peek: (instance, answer) => {
      const digest = keyOf(instance, answer)
      const isStored = env.store.has('annotations', digest)
      return [{ isKnown: isStored, digest, isStored }]
    },
    assemble: (_instance, _answer, [digest]) => {
      const annotation = digest && load(digest)
      return new Map<string, PyValue>(annotation?.kind === 'done' ? [[code.id, annotation.value]] : [])
    },
  }
}

type Annotated = Exclude<Outcome<PyValue>, { readonly kind: 'absent' }>

const pack = (outcome: Annotated): Json =>
  outcome.kind === 'done' ? { annotation: dumps(outcome.value) } : { cause: { ...outcome.cause } }

const annotated = async (
  code: AnnotatorCode,
  input: AnnotatorCodeInput,
  stop: AbortSignal,
): Promise<{ readonly outcome: Annotated; readonly retriable: boolean }> => {
  const { id, annotate, timeout } = code
  const ended = (name: string, detail: string, retriable: boolean) => ({
    outcome: {
      kind: 'failed' as const,
      cause: { code: name, detail: `targets/annotators/${id}: ${detail}` },
    },
    retriable,
  })
  try {
    const value = await timedCall(
      async (signal) =>
        annotationValue(code, await boundedCall(`annotator ${id}`, () => annotate(input, signal))),
      { stop, milliseconds: timeout * 1000, late: OVER },
    )
    return { outcome: { kind: 'done', value }, retriable: false }
  } catch (caught) {
    const error = thrown(caught)
    const reason = reasonOf(error)
    if (error instanceof AnnotationValueError) return ended(error.code, reason, false)
    if (error === OVER) return ended('annotators/timeout', `it took more than ${timeout} s`, true)
    if (stop.aborted) return ended('call/aborted', 'the run was stopped', true)
    return ended('annotators/code', `it ended with: ${reason}`, mayRecover(error))
  }
}

/** A `CallError` says so. */
const mayRecover = (error: unknown): boolean => fieldOf(error, 'retriable') === true

const OVER = Symbol('no annotation in time')

/** What a workspace's annotator gave is not what its fields say. The message quotes no value. */
class AnnotationValueError extends Error {
  /** `annotators/code-form` for words of ours alone, which may be told of texts that are not public, too. */
  readonly code: string = 'annotators/code-form'
}

/** Its names may be words of a text. */
class StrayFieldError extends AnnotationValueError {
  override readonly code = 'annotators/code-value'
}

/** An annotation as results hold it: its fields, in their order. @throws AnnotationValueError */
export const annotationValue = (
  { fields }: Pick<AnnotatorCode, 'fields'>,
  given: unknown,
): ReadonlyMap<string, PyValue> => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new AnnotationValueError('it gave no object of values by name')
  const values = new Map<string, unknown>(Object.entries(given))
  const stray = [...values.keys()].find((name) => !fields.some((field) => field.name === name))
  if (stray !== undefined)
    throw new StrayFieldError(`it gave ${JSON.stringify(stray)}, which is none of its fields`)
  return new Map(fields.map((field) => [field.name, fieldValue(field, values.get(field.name))]))
}

const fieldValue = (field: AnnotationPart, given: unknown): PyValue => {
  const value = Array.isArray(given) ? Array.from(given, (item) => endOf(item, field)) : endOf(given, field)
  if (value === undefined) throw new AnnotationValueError(`it gave no ${field.name}`)
  if (value === null) {
    if (field.nullable) return null
    throw new AnnotationValueError(`${field.name} is null`)
  }
  const fault = CHECKS[field.type](value, field)
  if (fault !== undefined) throw new AnnotationValueError(`${field.name} ${fault}`)
  return loads(JSON.stringify(value))
}

/** A number that rounding took beyond an end is the end, as of own metrics. */
const endOf = (value: unknown, { least, most }: AnnotationPart): unknown =>
  typeof value === 'number' && least !== null && most !== null
    ? atEnd(value, { low: least, high: most })
    : value

type Check = (value: unknown, field: AnnotationPart) => string | undefined

const textFault: Check = (value) =>
  typeof value !== 'string'
    ? 'is no text'
    : value.isWellFormed()
      ? undefined
      : 'holds half of a surrogate pair'

const numberFault: Check = (value, { least, most }) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'is no number'
  if (value >= (least ?? -Infinity) && value <= (most ?? Infinity)) return undefined
  return `is outside of ${least ?? '−∞'} to ${most ?? '∞'}`
}

const listFault = (check: Check, value: unknown, field: AnnotationPart): string | undefined => {
  if (!Array.isArray(value)) return 'is no list'
  const faults = Array.from(value, (item) => check(item, field))
  const index = faults.findIndex((fault) => fault !== undefined)
  return index === -1 ? undefined : `has an item, number ${index + 1}, that ${faults[index]}`
}

const CHECKS: Readonly<Record<AnnotationPart['type'], Check>> = {
  text: textFault,
  number: numberFault,
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false'),
  texts: (value, field) => listFault(textFault, value, field),
  numbers: (value, field) => listFault(numberFault, value, field),
}
