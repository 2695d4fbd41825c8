import { isDict, isList } from '../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import { isCounted } from '../../benchmarks/scenario/discreet-id.ts'
import type { ObjectSpec, Access } from '../../benchmarks/scenario/benchmark.ts'
import { withheld } from '../../cache/problems/withheld.ts'
import type { Json } from '../../cache/values/json.ts'
import { isShown, type BoardAccess } from './suppress-small.ts'
import type { Failure } from '../../cache/problems/problem.ts'
import { NOT_MADE } from '../record/coverage.ts'
import type { RunFailure } from '../record/record.ts'
import type { InstanceRef } from '../record/instance-ref.ts'

/** Fields of an adapter spec, and of a target's key, that hold what somebody wrote into a declaration or a run entry. */
const TEXT_FIELDS: ReadonlySet<string> = new Set<keyof AdapterSpec | 'arguments'>([
  'arguments',
  'globalPrefix',
  'globalSuffix',
  'instructions',
  'inputPrefix',
  'inputSuffix',
  'referencePrefix',
  'referencePrefixCharacters',
  'referenceSuffix',
  'chainOfThoughtPrefix',
  'chainOfThoughtSuffix',
  'outputPrefix',
  'outputSuffix',
  'instancePrefix',
  'substitutions',
  'stopSequences',
  'outputMappingPattern',
])

const DIGEST = /^[0-9a-f]{64}$/

/** What stands for a text field's value where a benchmark is not public: lengths, and digests of what is long. */
export const hiddenTexts = (value: Json): Json => {
  if (typeof value === 'string') return value === '' || DIGEST.test(value) ? value : withheld(value)
  return within(value, hiddenTexts)
}

/** Part of a key without the texts in it; `path` says where it stands. */
export const withoutTexts = (value: Json, path = ''): Json =>
  path.split(/[.[]/).some((field) => TEXT_FIELDS.has(field))
    ? hiddenTexts(value)
    : within(value, (each, field) => withoutTexts(each, field))

/** How a run asks, as all may read it: of gated and private benchmarks without the words. */
export const shownAdapter = <Adapter extends object>(
  adapter: Adapter,
  benchmark: { readonly access: BoardAccess },
): Adapter =>
  isShown(benchmark)
    ? adapter
    : (Object.fromEntries(
        Object.entries(adapter).map(([field, value]) => [
          field,
          TEXT_FIELDS.has(field) ? hiddenTexts(value as Json) : (value as unknown),
        ]),
      ) as Adapter)

/** Arguments of metrics and annotators in which names stand: of metrics, criteria, judges and tasks. */
const NAMES: ReadonlySet<string> = new Set([
  'annotation_criteria',
  'annotator_models',
  'bertscore_model',
  'device',
  'measures',
  'metric_name',
  'name',
  'names',
  'scenario_name',
  'task',
])

/** The same for an argument of a class, whatever it is made of. */
export const hiddenArgument = (value: PyValue): PyValue => {
  if (typeof value === 'string') return hiddenTexts(value) as string
  if (isList(value)) return value.map(hiddenArgument)
  if (!isDict(value)) return value
  return new Map([...value].map(([key, each]) => [key, hiddenArgument(each)]))
}

/** A metric or an annotator as all may read it: of gated and private benchmarks without the words it was given. */
export const shownObject = <Spec extends ObjectSpec>(
  spec: Spec,
  benchmark: { readonly access: BoardAccess },
): Spec =>
  isShown(benchmark)
    ? spec
    : {
        ...spec,
        args: new Map(
          [...spec.args].map(([name, value]) => [name, NAMES.has(name) ? value : hiddenArgument(value)]),
        ),
      }

const within = (value: Json, make: (each: Json, field: string) => Json): Json => {
  if (Array.isArray(value)) return value.map((each) => make(each, ''))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, make(each, field)]))
}

/** Failures whose details are words of ours. Others may repeat a prompt or a reply. */
const OPEN: ReadonlySet<string> = new Set([
  'annotators/code-form',
  'annotators/timeout',
  'call/aborted',
  'call/connection',
  NOT_MADE,
  'call/retry-after',
  'call/timeout',
  'call/unreached',
  'metrics/code-form',
  'metrics/no-annotation',
  'reply/client-form',
  'reply/no-choices',
  'reply/other-count',
  'reply/too-large',
])

/** A failure's detail as output may hold it, for a benchmark of that access. */
export const discreetDetail = ({ code, detail }: Pick<Failure, 'code' | 'detail'>, access: Access): string =>
  access === 'public' || OPEN.has(code) ? detail : withheld(detail)

/**
 * Failures as records, events and output may hold them.
 * @param refs the run's instances: where an id is withheld, an instance is called by its place among them, from 1
 */
export const discreetFailures = (
  failures: readonly RunFailure[],
  access: Access,
  refs: readonly Pick<InstanceRef, 'id'>[],
): readonly RunFailure[] => {
  if (access === 'public') return failures
  const places = new Map(refs.map(({ id }, index) => [String(id), index + 1]))
  return failures.map((failure) => {
    const { instance } = failure
    return {
      ...failure,
      instance: isCounted(instance) ? instance : `instance ${places.get(instance) ?? '?'}`,
      detail: discreetDetail(failure, access),
    }
  })
}
