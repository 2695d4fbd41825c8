import { expect, test } from 'vitest'
import { compareFiles } from '../../../../tools/release/bundle/compare-files.ts'

test('A file that is missing, has other bytes or is one too many is a problem each, and no other is', () => {
  const file = (path: string, sha256: string) => ({ path, sha256, bytes: 1 }) as never
  const faults = { code: 'c', lacks: 'lacks', differs: 'differs', extra: 'extra', remedy: 'r' }
  const found = compareFiles(
    [file('a', '1'), file('b', '2'), file('c', '3')],
    [file('d', '1'), file('c', '2'), file('b', '2')],
    faults,
  )
  expect(found).toEqual(
    [
      ['a', 'lacks'],
      ['c', 'differs'],
      ['d', 'extra'],
    ].map(([path, what]) => ({ code: 'c', message: `${path} ${what}`, where: { file: path }, remedy: 'r' })),
  )
  expect(compareFiles([], [], faults)).toEqual([])
})
