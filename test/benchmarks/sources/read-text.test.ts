import { expect, test } from 'vitest'
import {
  decodeLines,
  decodeText,
  universalNewlines,
  unreadableFile,
} from '../../../benchmarks/sources/read-text.ts'
import { problemAtOnce } from '../../rig/problem-of.ts'

const problemOf = (bytes: readonly number[]) =>
  problemAtOnce(() => decodeText(Uint8Array.from(bytes), 'data.csv'))

test('The first byte that is no UTF-8 is named with line, column and offset.', () => {
  const latin1 = [...Buffer.from('a,b\né,'), 0xe9, 0x2c, ...Buffer.from('\né')]
  expect(problemOf(latin1)).toMatchObject({
    code: 'benchmarks/not-utf8',
    message: 'the file is not UTF-8: byte 0xe9 at offset 7',
    where: { file: 'data.csv', line: 2, column: 3 },
  })
})

test('A character cut off at the end of the file is found.', () => {
  expect(problemOf([0x61, 0xc3])).toMatchObject({ code: 'benchmarks/not-utf8' })
})

test('A workbook that is taken for a table is called one.', () => {
  expect(problemOf([0x50, 0x4b, 3, 4, 0xc7])).toMatchObject({
    message: 'the file is an archive or a workbook of Excel, no text',
    remedy: 'Save the sheet as UTF-8 (in Excel: "CSV UTF-8").',
  })
})

test('A file of a statistics program is not asked to be saved by Excel.', () => {
  expect(problemOf([...Buffer.from('$FL2\0'), 0xff])).toMatchObject({ remedy: 'Export it as CSV, UTF-8.' })
})

test('A packed file is called packed, and none of a statistics program.', () => {
  for (const head of ['1f8b0800', '425a6839', 'fd377a58', '28b52ffd', '377abcaf', '52617221', '04224d18'])
    expect(problemOf([...Buffer.from(`${head}00ff`, 'hex')])).toMatchObject({ remedy: 'Unpack it.' })
})

test('UTF-16 is recognised.', () => {
  expect(problemOf([0xff, 0xfe, 0x61, 0])?.remedy).toContain('UTF-16')
})

test('Line ends are read as Python reads them.', () => {
  expect(universalNewlines('a\r\nb\rc\n\n')).toBe('a\nb\nc\n\n')
})

test('a file that a limit keeps closed is not called unreadable', () => {
  const limited = Object.assign(new Error('EMFILE: too many open files'), {
    code: 'EMFILE',
    errno: -24,
    syscall: 'open',
    path: 'data.csv',
  })
  expect(unreadableFile('data.csv', 'data', limited)?.problems).toMatchObject([
    { code: 'system/too-many-files', remedy: expect.stringContaining('ulimit -n') as string },
  ])
})

test('A line that does not decode is told by its number, lone carriage returns before it counted as Python counts them.', () => {
  const bytes = Buffer.concat([Buffer.from('a\rb\r\nc\n'), Buffer.of(0xff, 0x0a), Buffer.from('d\n')])
  const { text, bad } = decodeLines(bytes, 'data.csv')
  expect([...bad.keys()]).toEqual([4])
  expect(text).toBe('a\rb\r\nc\n\ufffd\nd\n')
})
