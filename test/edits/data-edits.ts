import { renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeFiles } from '../rig/workspace.ts'
import { LETTERS, lettersCsv, NOTES_CSV } from './base.ts'
import { replace, type Edit } from './edit.ts'

const LETTERS_FILE = 'benchmarks/letters/letters.csv'

const letters = (root: string, rows: readonly string[]): void =>
  writeFiles(root, { 'benchmarks/letters/letters.csv': lettersCsv(rows) })
const changed = (row: number, before: string, after: string): readonly string[] =>
  LETTERS.with(row, (LETTERS[row] ?? '').replace(before, after))

/** Edits of rows. Whatever of a file changes, the list of instances is read anew; later stages see single rows. */
export const dataEdits: readonly Edit[] = [
  {
    about: 'a row changed',
    apply: (root) => letters(root, changed(3, 'Metformin was', 'Metformin 500 was')),
    work: { instances: 4, prompts: 1, completions: 1, metrics: 1, calls: 1 },
  },
  {
    about: 'a row added',
    apply: (root) => letters(root, [...LETTERS, 'a5,surgery,Insulin was stopped.,insulin,test,x']),
    work: { instances: 5, prompts: 1, completions: 1, metrics: 1, calls: 1 },
  },
  {
    about: 'a row put in front',
    apply: (root) => letters(root, ['a0,surgery,Insulin was stopped.,insulin,test,x', ...LETTERS]),
    work: { instances: 5, prompts: 1, completions: 1, metrics: 1, calls: 1 },
  },
  { about: 'a row deleted', apply: (root) => letters(root, LETTERS.toSpliced(4, 1)), work: { instances: 3 } },
  {
    about: 'a row moved',
    apply: (root) => letters(root, [...LETTERS.toSpliced(2, 1), ...LETTERS.slice(2, 3)]),
    work: { instances: 4 },
  },
  {
    about: 'a row given another id',
    apply: (root) => letters(root, changed(2, 'a1,', 'a9,')),
    work: { instances: 4 },
  },
  {
    about: 'a row doubled under another id',
    apply: (root) => letters(root, [...LETTERS, (LETTERS[2] ?? '').replace('a1', 'a8')]),
    work: { instances: 5 },
  },
  {
    about: 'a right answer changed',
    apply: (root) => letters(root, changed(2, ',heparin,', ',enoxaparin,')),
    work: { instances: 4, prompts: 1, metrics: 1 },
    why: 'the prompt is made anew and comes out the same',
  },
  {
    about: 'a column changed that nothing uses',
    apply: (root) =>
      letters(
        root,
        LETTERS.map((row) => row.replace(/x$/, 'y')),
      ),
    work: { instances: 4 },
  },
  {
    about: 'a column added that nothing uses',
    apply: (root) =>
      writeFiles(root, {
        'benchmarks/letters/letters.csv': lettersCsv()
          .trimEnd()
          .split('\n')
          .map((line, row) => `${line},${row === 0 ? 'more' : 'z'}\n`)
          .join(''),
      }),
    work: { instances: 4 },
  },
  {
    about: 'the file touched, not changed',
    apply: (root) => utimesSync(join(root, 'benchmarks/letters/letters.csv'), 1e9, 1e9),
    work: {},
  },
  {
    about: "the file with another system's line ends",
    apply: (root) => writeFiles(root, { [LETTERS_FILE]: lettersCsv().replaceAll('\n', '\r\n') }),
    work: { instances: 4 },
  },
  {
    about: 'the file packed',
    apply: (root) => {
      writeFileSync(join(root, `${LETTERS_FILE}.gz`), gzipSync(lettersCsv()))
      replace(root, 'benchmarks/letters/benchmark.yaml', 'path: letters.csv', 'path: letters.csv.gz')
    },
    work: { instances: 4 },
  },
  {
    about: 'the file behind a link',
    apply: (root) => {
      renameSync(join(root, LETTERS_FILE), join(root, 'elsewhere.csv'))
      symlinkSync('../../elsewhere.csv', join(root, LETTERS_FILE))
    },
    work: {},
  },
  {
    about: 'what a link leads to',
    apply: (root) => {
      renameSync(join(root, LETTERS_FILE), join(root, 'elsewhere.csv'))
      symlinkSync('../../elsewhere.csv', join(root, LETTERS_FILE))
      replace(root, 'elsewhere.csv', 'Metformin was', 'Metformin has')
    },
    work: { instances: 4, prompts: 1, completions: 1, metrics: 1, calls: 1 },
  },
  {
    about: 'the training rows changed',
    apply: (root) =>
      letters(
        root,
        LETTERS.map((row) =>
          row.replace('Warfarin was', 'Warfarin 5 was').replace('Aspirin was', 'Aspirin 100 was'),
        ),
      ),
    work: { instances: 4, prompts: 4, completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'rows that can not be read left out',
    apply: () => ['--skip-bad-rows'],
    work: { instances: 7 },
    why: 'the rows are read once more, and all can be',
  },
  {
    about: 'the file under another name',
    apply: (root) => {
      writeFiles(root, { 'benchmarks/letters/renamed.csv': lettersCsv() })
      replace(root, 'benchmarks/letters/benchmark.yaml', 'path: letters.csv', 'path: renamed.csv')
    },
    work: {},
  },
  {
    about: "a judged benchmark's reference changed",
    apply: (root) => writeFiles(root, { 'benchmarks/summaries/notes.csv': NOTES_CSV.replace(',two', ',2') }),
    work: { instances: 3, prompts: 1, annotations: 2, metrics: 2, calls: 2 },
    why: 'two judges are shown the reference',
  },
]
