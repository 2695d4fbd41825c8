import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { csvTable } from '../../benchmarks/sources/csv/csv-table.ts'
import { mirrorPath } from '../../benchmarks/sources/fetch/remote-file.ts'
import { parquetFile, type ColumnKind } from './parquet-file.ts'

const HUB = 'https://huggingface.co'
const HOST_OWNER_REPOSITORY = 3
const CONVERTED = encodeURIComponent('refs/convert/parquet')

/**
 * A mirror for benchmarks whose data the shared mirror lacks: what the real HELM read in its place for the reference
 * results, in the shape that the benchmark's own URLs deliver.
 *
 * @param shared folder with `mirror` and `golden`
 * @param folder empty folder to fill
 * @param exams of HEAD-QA that are taken, the first ones
 */
export const standInMirror = (
  shared: string,
  folder: string,
  { exams = Infinity }: { readonly exams?: number } = {},
): string => {
  const mirror = join(shared, 'mirror')
  const inputs = join(shared, 'golden/public-synthetic/inputs')
  linkFolders(mirror, folder, HOST_OWNER_REPOSITORY)
  const put = (url: string, content: Uint8Array | string): void => {
    const path = join(folder, mirrorPath(url))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  put(
    'https://github.com/raulista1997/benchmarkdata/raw/c4c252443fa9c52afb6960f53e51be278639bea2/eicu.sqlite',
    readFileSync(join(shared, 'golden/public-benchmarks/eicu.sqlite')),
  )
  putDataset(put, 'ncbi/MedCalc-Bench', CONVERTED, 'default/test/0000.parquet', medcalc(mirror))
  putDataset(put, 'dvilares/head_qa', CONVERTED, 'en/test/0000.parquet', headQa(mirror, exams))
  if (!existsSync(inputs)) return folder
  const revision = '515060458a945c633debc6fd5baac7764416b724'
  putDataset(
    put,
    'UTAustin-AIHealth/MedHallu',
    revision,
    'pqa_labeled/train-00000-of-00001.parquet',
    medHallu(inputs),
  )
  for (const subset of ['healthcaremagic', 'icliniq'])
    put(
      `https://worksheets.codalab.org/rest/bundles/0x82f0c47f6d3e4462ae9ef8ea39eebe64/contents/blob/${subset}/test.json`,
      readFileSync(join(inputs, `med_dialog_${subset}.json`)),
    )
  put(drive('1ImYUSLk9JbgHXOemfvyiDiirluZHPeQw'), readFileSync(join(inputs, 'med_qa.zip')))
  put(drive('15VkJdq5eyWIkfb_aoD3oS8i4tScbHYky'), readFileSync(join(inputs, 'med_mcqa.zip')))
  return folder
}

/** Folders down to a depth are made, what lies below is linked: other files may be put beside it. */
const linkFolders = (from: string, to: string, depth: number): void => {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (depth === 0 || !entry.isDirectory()) symlinkSync(source, target)
    else {
      mkdirSync(target)
      linkFolders(source, target, depth - 1)
    }
  }
}

const drive = (id: string): string => `https://drive.google.com/uc?export=download&id=${id}&confirm=t`

const putDataset = (
  put: (url: string, content: Uint8Array | string) => void,
  dataset: string,
  revision: string,
  path: string,
  content: Uint8Array,
): void => {
  const listing = [
    { type: 'directory', path: dirname(path), size: 0 },
    { type: 'file', path: 'README.md', size: 1 },
    { type: 'file', path, size: content.length },
  ]
  put(`${HUB}/api/datasets/${dataset}/tree/${revision}?recursive=true`, JSON.stringify(listing))
  put(`${HUB}/datasets/${dataset}/resolve/${revision}/${path}`, content)
}

/** Version 1.0, every column text. */
const medcalc = (mirror: string): Uint8Array => {
  const file = join(mirror, '_related/medcalc_bench/test_data.csv')
  const { columns, rows } = csvTable(readFileSync(file, 'utf8'), 'python', file)
  const kinds = Object.fromEntries(columns.map((column): [string, ColumnKind] => [column, 'text']))
  return parquetFile(
    kinds,
    rows.map(({ cells }) => Object.fromEntries(cells)),
  )
}

/** Exams in file order. */
const headQa = (mirror: string, most: number): Uint8Array => {
  const parsed = loads(readFileSync(join(mirror, '_related/head_qa/HEAD_EN.json'), 'utf8'))
  const exams = [...dict(dict(parsed).get('exams')).values()].slice(0, most).map(dict)
  const rows = exams.flatMap((exam) =>
    list(exam.get('data')).map((item) => {
      const question = dict(item)
      return {
        name: exam.get('name'),
        year: exam.get('year'),
        category: exam.get('category'),
        qid: question.get('qid'),
        qtext: question.get('qtext'),
        ra: question.get('ra'),
        image: question.get('image') === '' ? null : (question.get('image') ?? null),
        answers: list(question.get('answers')).map((answer) => ({
          aid: Number(dict(answer).get('aid')),
          atext: dict(answer).get('atext'),
        })),
      }
    }),
  )
  const kinds = { name: 'text', year: 'text', category: 'text', qid: 'integer', qtext: 'text' } as const
  return parquetFile({ ...kinds, ra: 'integer', image: 'text', answers: 'answers' }, rows)
}

const medHallu = (inputs: string): Uint8Array => {
  const rows = list(loads(readFileSync(join(inputs, 'medhallu.json'), 'utf8'))).map((row) =>
    Object.fromEntries(dict(row)),
  )
  const texts = [
    'Question',
    'Ground Truth',
    'Difficulty Level',
    'Hallucinated Answer',
    'Category of Hallucination',
  ]
  const kinds = Object.fromEntries(texts.map((name): [string, ColumnKind] => [name, 'text']))
  return parquetFile({ ...kinds, Knowledge: 'texts' }, rows)
}

const dict = (value: PyValue | undefined): ReadonlyMap<string, PyValue> => {
  if (value instanceof Map) return value as ReadonlyMap<string, PyValue>
  throw new TypeError('a dict was expected')
}

const list = (value: PyValue | undefined): readonly PyValue[] => {
  if (Array.isArray(value)) return value as readonly PyValue[]
  throw new TypeError('a list was expected')
}
