import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zipSync } from 'fflate'
import { mirrorPath } from '../../benchmarks/sources/fetch/remote-file.ts'
import { parquetFile, type ColumnKind } from '../parity/parquet-file.ts'
import { shared } from './shared.ts'

const HUB = 'https://huggingface.co'
const CONVERTED = encodeURIComponent('refs/convert/parquet')
const SIMPLE_EVALS = 'https://openaipublic.blob.core.windows.net/simple-evals/'

/** Fills a folder with what the benchmarks of medhelm 0.8.0 read, from the inputs of its reference results. */
export const forkMirror = (folder: string): void => {
  const input = (name: string): string =>
    join(shared('golden/medhelm-0.8') ?? '', 'synthetic-input', ...name.split('/'))
  const put = (url: string, content: Uint8Array | string): void => {
    const path = join(folder, mirrorPath(url))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const putDataset = (
    dataset: string,
    place: string,
    file: string,
    kinds: Record<string, ColumnKind>,
  ): void => {
    const rows = Object.values(JSON.parse(readFileSync(input(file), 'utf8')) as object)[0] as Record<
      string,
      unknown
    >[]
    const path = `${place}/0000.parquet`
    put(
      `${HUB}/api/datasets/${dataset}/tree/${CONVERTED}?recursive=true`,
      JSON.stringify([{ type: 'file', path, size: 1 }]),
    )
    put(`${HUB}/datasets/${dataset}/resolve/${CONVERTED}/${path}`, parquetFile(kinds, rows))
  }
  put(
    'https://raw.githubusercontent.com/SCT-Bench/sctpublic/c2843137b36218eac3f47e76eaa559c9fe7973e9/data/sct_cleaned_full.csv',
    readFileSync(input('sct_cleaned_full.csv')),
  )
  putDataset('TsinghuaC3I/MedXpertQA', 'Text/test', 'medxpert_qa_text.json', {
    id: 'text',
    question: 'text',
    options: 'options',
    label: 'text',
    medical_task: 'text',
    body_system: 'text',
    question_type: 'text',
  })
  putDataset('Larxel/healthqa-br', 'default/train', 'healthqa_br.json', { question: 'text', answer: 'text' })
  put(
    'https://github.com/InstituteforDiseaseModeling/Bridging-the-Gap-Low-Resource-African-Languages/raw/refs/heads/main/data/evaluation_benchmarks_afr_release.zip',
    zipSync(Object.fromEntries([...questionFiles(input('mmlu_cm_ck_vir')), ...questionFiles(moreInput())])),
  )
  put(
    `${SIMPLE_EVALS}healthbench/2025-05-07-06-14-12_oss_eval.jsonl`,
    readFileSync(input('healthbench.jsonl')),
  )
  put(
    `${SIMPLE_EVALS}healthbench_professional/assets.zip`,
    zipSync({
      'assets/healthbench_professional_eval.jsonl': readFileSync(
        input('healthbench_professional_eval.jsonl'),
      ),
    }),
  )
}

const moreInput = (): string => shared('golden/medhelm-0.8-more/input') ?? ''

const questionFiles = (folder: string): readonly (readonly [string, Uint8Array])[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .map((name) => [`mmlu_cm_ck_vir/${name}`, readFileSync(join(folder, name))])
