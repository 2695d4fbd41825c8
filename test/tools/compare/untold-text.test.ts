import { expect, test } from 'vitest'
import { untoldLines } from '../../../tools/compare/untold-text.ts'

test('Models that an average cannot tell apart are told with the benchmarks that are why, and nothing else is', () => {
  const told = (oneSource: readonly string[], unshared: readonly string[]) =>
    untoldLines({ oneSource, unshared }, (name) => name.toUpperCase())
  expect(told([], [])).toEqual([])
  expect(told(['a', 'b'], [])).toEqual([expect.stringMatching(/^Of A and B a model was asked one instance/)])
  expect(told([], ['c'])).toEqual([expect.stringMatching(/asked nothing alike on C are not told apart/)])
  expect(told(['a'], ['c'])).toHaveLength(2)
})
