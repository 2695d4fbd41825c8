import { gzipSync } from 'node:zlib'
import { utf8 } from '@uwdata/flechette'
import { expect, test } from 'vitest'
import type { ProblemError } from '../../../cache/problems/problem.ts'
import { discreetError } from '../../../cache/problems/withheld.ts'
import { arrowTable } from '../../../benchmarks/sources/arrow/arrow-table.ts'
import { csvTable } from '../../../benchmarks/sources/csv/csv-table.ts'
import { gunzip } from '../../../benchmarks/sources/unzip.ts'
import { xlsxTable } from '../../../benchmarks/sources/xlsx/xlsx-table.ts'
import { xmlTree } from '../../../benchmarks/sources/xml/xml-tree.ts'
import { arrowFile } from '../../rig/arrow-file.ts'
import { workbook } from '../../rig/xlsx.ts'

const CANARY = 'Mrs Example takes warfarin'
const arrow = arrowFile({ note: [utf8(), [CANARY]] })
const cell = (type: string) =>
  workbook({ rows: `<row r="1"><c r="A1" t="${type}"><v>${CANARY}</v></c></row>` })

test.each([
  ['an Arrow file that ends early', () => arrowTable(arrow.subarray(0, -20), 'f'), 'an Arrow file'],
  ['a cell that is no number', () => xlsxTable(cell('n'), 'f'), 'column 1 of sheet row 1'],
  ['a cell that is no date', () => xlsxTable(cell('d'), 'f'), 'a date that is none'],
  ['tags of XML that cross', () => xmlTree(Buffer.from(`<a><${CANARY}></a>`), 'f'), 'not well-formed XML'],
  [
    'a quote within a quote',
    () => csvTable(`a\n"x"${CANARY}`, 'strict', 'f'),
    'text follows a closing quote',
  ],
  [
    'a first row that says a thing twice',
    () => csvTable(`${CANARY},${CANARY}`, 'strict', 'f'),
    'two columns',
  ],
  ['a gzip file that ends early', () => gunzip(gzipSync(CANARY).subarray(0, -9), 'f'), 'ends early'],
])('Of %s a restricted benchmark says what is wrong, and quotes nothing.', (_, read, said) => {
  try {
    read()
    expect.unreachable()
  } catch (error) {
    const [problem] = (discreetError(error) as ProblemError).problems
    expect(problem?.message).toContain(said)
    expect(problem?.message).not.toContain('withheld')
    expect(JSON.stringify(problem)).not.toContain('Example')
  }
})
