import { dumps } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'

/** A value as Python's json.dumps(…, indent=2) prints it inside `depth` containers. */
export const indented = (value: PyValue, depth: number): string => dumps(value, { indent: 2, depth })

export type Stream<T> = Iterable<T> | AsyncIterable<T>

/** A list inside `depth` containers, printed element by element. */
export const arrayChunks = async function* <T>(
  elements: Stream<T>,
  valueOf: (element: T) => PyValue,
  depth = 0,
): AsyncGenerator<string> {
  const margin = '  '.repeat(depth)
  let opened = false
  for await (const element of elements) {
    yield `${opened ? ',' : '['}\n${margin}  ${indented(valueOf(element), depth + 1)}`
    opened = true
  }
  yield opened ? `\n${margin}]` : '[]'
}

/** A whole value as one chunk. */
export const jsonChunks = (value: PyValue): readonly string[] => [dumps(value, { indent: 2 })]
