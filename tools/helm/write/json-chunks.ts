import { dumps } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'

/** A value as Python's json.dumps(…, indent=2) prints it inside `depth` containers. */
export const indented = (value: PyValue, depth: number): string => dumps(value, { indent: 2, depth })

/** A list inside `depth` containers, printed element by element. */
export const arrayChunks = async function* (
  elements: Iterable<PyValue> | AsyncIterable<PyValue>,
  depth = 0,
): AsyncGenerator<string> {
  const margin = '  '.repeat(depth)
  let opened = false
  for await (const element of elements) {
    yield `${opened ? ',' : '['}\n${margin}  ${indented(element, depth + 1)}`
    opened = true
  }
  yield opened ? `\n${margin}]` : '[]'
}

/** A whole value as one chunk. */
export const jsonChunks = (value: PyValue): readonly string[] => [dumps(value, { indent: 2 })]
