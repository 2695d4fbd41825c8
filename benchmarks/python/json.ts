import { JsonReader } from './json-reader.ts'
import { JsonWriter, type PyJson } from './json-writer.ts'
import type { PyValue } from './value.ts'

export { JsonError } from './json-error.ts'
export type { PyJson, PyRecord } from './json-writer.ts'

/**
 * `json.loads`: dicts are Maps in file order (a key met again keeps its place and takes the last value), `1.0` is a
 * Float, integers beyond 2^53 are bigint, bare `NaN` and `Infinity` are accepted.
 * @throws JsonError with Python's message
 */
export const loads = (text: string): PyValue => new JsonReader(text).read()

/**
 * `json.dumps` with ASCII escapes; `indent` 2 is how HELM writes its files, none gives `, ` and `: `. With a `depth` the
 * text is as it stands inside so many containers.
 */
export const dumps = (
  value: PyJson,
  { indent, depth }: { readonly indent?: number; readonly depth?: number } = {},
): string => new JsonWriter(indent, depth).write(value)
