import { expect, test } from 'vitest'
import { freeAddresses, mapSizeFor } from '../../../cache/lmdb/value-index.ts'

const MB = 2 ** 20
const GB = 2 ** 30

test('an index has 1 GB of addresses, more where it is large, and less where fewer may be had', () => {
  expect(mapSizeFor(Infinity, 0)).toBe(GB)
  expect(mapSizeFor(Infinity, 3 * GB)).toBe(8 * GB)
  expect(mapSizeFor(GB + 512 * MB, 0)).toBe(GB)
  expect(mapSizeFor(GB + 511 * MB, 0)).toBe(512 * MB)
  expect(mapSizeFor(700 * MB, 0)).toBe(128 * MB)
  expect(mapSizeFor(576 * MB, 32 * MB)).toBe(64 * MB)
})

test('too few for the index and for what Node needs besides are told of before LMDB ends the process', () => {
  expect(() => mapSizeFor(575 * MB, 0)).toThrow(
    'may reserve 575 MB more of address space, and 576 MB are needed',
  )
  expect(() => mapSizeFor(700 * MB, 65 * MB)).toThrow('system/no-memory')
  expect(() => mapSizeFor(-1, 0)).toThrow('may reserve 0 MB')
})

test('what is left of a limit is told by Linux', () => {
  const limits = (soft: string): string =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax cpu time              7                    7                    seconds   \nMax address space         ${soft.padEnd(20)} unlimited            bytes     \nMax file locks            9                    9                    locks     \n`
  const status = 'Name:\tnode\nVmPeak:\t 2000 kB\nVmSize:\t    1000 kB\nVmLck:\t       0 kB\n'
  expect(freeAddresses(limits('3072000'), status)).toBe(2_048_000)
  expect(freeAddresses(limits('unlimited'), status)).toBe(Infinity)
  expect(freeAddresses(limits('3072000'), '')).toBe(Infinity)
})
