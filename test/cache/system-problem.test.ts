import { expect, it } from 'vitest'
import { asProblem, unusableFolder } from '../../cache/store-problems.ts'
import { ProblemError } from '../../cache/problems/problem.ts'

/** As Node throws it for a call on an open file. */
const failed = (errno: number, code: string): Error =>
  Object.assign(new Error(`${code}: ${code}, write`), { errno: -errno, code, syscall: 'write' })

const told = (error: Error): string => {
  const problem = asProblem(error)
  return problem instanceof ProblemError ? (problem.problems[0]?.code ?? '') : 'a stack'
}

it.each([
  [122, 'Unknown system error -122', 'cache/disk-full'],
  [122, 'UNKNOWN', 'cache/disk-full'],
  [116, 'UNKNOWN', 'system/unusable-path'],
  [28, 'ENOSPC', 'cache/disk-full'],
  [27, 'EFBIG', 'cache/disk-full'],
  [116, 'Unknown system error -116', 'system/unusable-path'],
  [117, 'Unknown system error -117', 'system/unusable-path'],
  [5, 'EIO', 'system/unusable-path'],
  [12, 'ENOMEM', 'system/no-memory'],
  [9, 'EBADF', 'a stack'],
])('What the system answers by %i, named or not by Node, is told as what it is.', (errno, code, expected) => {
  expect(told(failed(errno, code))).toBe(expected)
})

it('What may have passed by the next try ends with 1, all else of a path with 2.', () => {
  const codes = ['EIO', 'EMFILE', 'ENOMEM', 'ENOTDIR', 'ELOOP'].map((code) => asProblem(failed(1, code)))
  expect(codes.map((problem) => problem instanceof ProblemError && problem.exitCode)).toEqual([1, 1, 1, 2, 2])
})

it('A full disk is told with its inodes, and where the index can’t be copied to with TMPDIR, not as a store of no right.', () => {
  expect(asProblem(failed(28, 'ENOSPC'))).toMatchObject({
    problems: [{ remedy: expect.stringContaining('`df -i`') as string }],
  })
  const path = '/tmp/medmake-index-XXXXXX'
  const closed = Object.assign(failed(13, 'EACCES'), { syscall: 'mkdtemp', path })
  expect(unusableFolder('store', closed)).toMatchObject({
    problems: [{ where: { file: path }, remedy: expect.stringContaining('TMPDIR') as string }],
  })
})

it('A disk that fails under a store is told as that, to be tried again, not as a folder of no right.', () => {
  expect(unusableFolder('store', Object.assign(failed(5, 'EIO'), { path: 'store/claims' }))).toMatchObject({
    exitCode: 1,
    problems: [
      { where: { file: 'store/claims' }, remedy: expect.stringContaining('Check the disk') as string },
    ],
  })
})
