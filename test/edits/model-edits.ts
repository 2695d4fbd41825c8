import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFiles } from '../rig/workspace.ts'
import { suite } from './base.ts'
import { replace, type Edit } from './edit.ts'

const MODELS_FILE = 'models/fake.yaml'
/** Adds fields to the deployment of the evaluated model. */
const model =
  (...fields: readonly string[]) =>
  (root: string): void =>
    replace(
      root,
      MODELS_FILE,
      '- name: fake/a\n',
      `- name: fake/a\n${fields.map((field) => `    ${field}\n`).join('')}`,
    )

/** Who answers. */
export const modelEdits: readonly Edit[] = [
  {
    about: 'limits',
    apply: (root) => replace(root, MODELS_FILE, 'limits: {}', 'limits: {concurrency: 3}'),
    work: {},
  },
  {
    about: 'a price',
    apply: (root) =>
      writeFiles(root, {
        'models/prices.yaml':
          'prices:\n  - {deployment: fake/a, input: 1, output: 2, date: 2026-01-01, source: its list}\n',
      }),
    work: {},
  },
  {
    about: 'another URL',
    apply: (root) => replace(root, MODELS_FILE, 'http://127.0.0.1', 'http://localhost'),
    work: {},
  },
  {
    about: 'an API key',
    apply: (root) => writeFiles(root, { 'prod_env/credentials.conf': 'fakeApiKey: another\n' }),
    work: {},
  },
  {
    about: 'another model string',
    apply: (root) => replace(root, MODELS_FILE, 'model: fake/a}', 'model: fake/a-2026}'),
    work: { completions: 7, annotations: 6, metrics: 10, calls: 13 },
    why: 'seven answers, and six judgements of three of them',
  },
  {
    about: 'a tokenizer',
    apply: model('tokenizer_name: openai/cl100k_base'),
    work: { prompts: 7, metrics: 7 },
    why: 'prompts are counted; their texts stay',
  },
  {
    about: 'a tokenizer and a window that holds every prompt',
    apply: model('tokenizer_name: openai/cl100k_base', 'max_sequence_length: 4000'),
    work: { prompts: 7, metrics: 7 },
  },
  {
    about: 'a window that cuts an example off',
    apply: model('tokenizer_name: openai/cl100k_base', 'max_sequence_length: 30'),
    work: { prompts: 7, completions: 4, metrics: 7, calls: 4 },
  },
  {
    about: 'the deployment renamed',
    apply: (root) => {
      replace(root, MODELS_FILE, '- name: fake/a\n', '- name: other/b\n    model_name: fake/a\n')
      replace(root, 'targets/main.conf', 'model=fake/a', 'model=fake/a,model_deployment=other/b')
    },
    work: { completions: 7, annotations: 6, metrics: 10, calls: 13 },
    why: 'two deployments of one model need not answer alike',
  },
  {
    about: 'another model beside it',
    apply: (root) => {
      const text = readFileSync(join(root, 'targets/main.conf'), 'utf8')
      writeFiles(root, {
        'targets/main.conf': text.replace(
          'entries: [\n',
          'entries: [\n  {description: "letters:model=fake/third"}\n',
        ),
      })
    },
    work: { completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'a model declared that nothing asks',
    apply: (root) =>
      writeFiles(root, {
        'models/more.yaml':
          'model_deployments:\n  - {name: fake/unused, client_spec: {class_name: medmake.chat, args: {base_url: "http://127.0.0.1:9/v1", model: u}}}\n',
      }),
    work: {},
  },
  {
    about: 'a model less',
    apply: (root) => writeFiles(root, { 'targets/main.conf': suite('letters:model=fake/a') }),
    work: {},
  },
]

const tokenizer = (of: string, name: string) => (root: string) =>
  replace(
    root,
    MODELS_FILE,
    `- name: ${of}\n    tokenizer_name: openai/cl100k_base\n`,
    `- name: ${of}\n    tokenizer_name: ${name}\n`,
  )

/** Where the profile cuts replies by the tokens of who gave them. */
export const cutEdits: readonly Edit[] = [
  {
    about: "the model's tokenizer",
    apply: tokenizer('fake/a', 'openai/o200k_base'),
    work: { prompts: 3, metrics: 3 },
    why: 'the answers come out the same, and so do judgements',
  },
  {
    about: "the model's tokenizer, by which answers are cut",
    apply: tokenizer('fake/a', 'simple/tokenizer1'),
    work: { prompts: 3, annotations: 6, metrics: 6, calls: 6 },
    why: 'two judges are shown three other answers',
  },
  { about: "a judge's tokenizer", apply: tokenizer('fake/mild', 'openai/o200k_base'), work: {} },
]
