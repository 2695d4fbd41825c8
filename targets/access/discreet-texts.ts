import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import { withheld } from '../../cache/problems/withheld.ts'
import type { Json } from '../../cache/values/json.ts'
import { isShown, type BoardAccess } from './shown.ts'

/** Fields of an adapter spec, and of the keys made of one, that hold what somebody wrote into a declaration. */
const TEXT_FIELDS: ReadonlySet<string> = new Set<keyof AdapterSpec>([
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

const within = (value: Json, make: (each: Json, field: string) => Json): Json => {
  if (Array.isArray(value)) return value.map((each) => make(each, ''))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, make(each, field)]))
}
