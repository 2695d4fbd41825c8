import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFiles } from '../rig/workspace.ts'
import { judges, LETTERS_YAML, RUBRIC } from './base.ts'
import { replace, type Edit } from './edit.ts'

const LETTERS_FILE = 'benchmarks/letters/benchmark.yaml'
const SUMMARIES_FILE = 'benchmarks/summaries/benchmark.yaml'
const letters =
  (before: string, after: string) =>
  (root: string): void =>
    replace(root, LETTERS_FILE, before, after)
const summaries =
  (before: string, after: string) =>
  (root: string): void =>
    replace(root, SUMMARIES_FILE, before, after)
const jury =
  (...names: readonly string[]) =>
  (root: string): void =>
    writeFiles(root, { 'benchmarks/judges.yaml': judges(...names) })

/** What is asked. */
export const askingEdits: readonly Edit[] = [
  { about: 'a comment', apply: letters('name: letters\n', 'name: letters # the letters\n'), work: {} },
  {
    about: 'the declaration laid out otherwise',
    apply: letters("stop_sequences: ['###']", "stop_sequences:\n        - '###'"),
    work: {},
  },
  {
    about: 'a value named once and used twice',
    apply: (root) => {
      const [first = '', ...more] = LETTERS_YAML.split("input: 'Letter: {note}'")
      writeFiles(root, { [LETTERS_FILE]: `${first}input: &ask 'Letter: {note}'${more.join('input: *ask')}` })
    },
    work: {},
  },
  {
    about: "the declaration with another system's line ends",
    apply: (root) => writeFiles(root, { [LETTERS_FILE]: LETTERS_YAML.replaceAll('\n', '\r\n') }),
    work: {},
  },
  {
    about: 'a display name',
    apply: letters('display_name: Letters', 'display_name: Discharge letters'),
    work: {},
  },
  { about: 'a description', apply: letters('Asks for the one medicine', 'Wants the one medicine'), work: {} },
  {
    about: 'an attribute to show scores by',
    apply: letters('access: public\n', 'access: public\nattributes: { ward: ward }\n'),
    work: { instances: 4 },
    why: 'the rows are read once more for it; nobody is asked anything',
  },
  {
    about: 'the wording of a prompt',
    apply: letters("'Letter: {note}'", "'The letter: {note}'"),
    work: { instances: 4, prompts: 4, completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'instructions',
    apply: letters('Answer with one word.', 'Answer with a single word.'),
    work: { prompts: 4, completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'the output prefix',
    apply: letters('max_tokens: 8', "max_tokens: 8\n      output_prefix: 'Medicine: '"),
    work: { prompts: 4, completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'no example instead of one',
    apply: letters('max_train_instances: 1', 'max_train_instances: 0'),
    work: { prompts: 4, completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'two examples instead of one',
    apply: letters('max_train_instances: 1', 'max_train_instances: 2'),
    work: { prompts: 4, completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'stop sequences',
    apply: letters("['###']", "['###', '@@@']"),
    work: { completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'max_tokens',
    apply: letters('max_tokens: 8', 'max_tokens: 9'),
    work: { completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'temperature',
    apply: letters('max_tokens: 8', 'max_tokens: 8\n      temperature: 0.7'),
    work: { completions: 4, metrics: 4, calls: 4 },
  },
  {
    about: 'two answers a prompt',
    apply: letters('max_tokens: 8', 'max_tokens: 8\n      num_outputs: 2'),
    work: { completions: 4, metrics: 12, calls: 4 },
  },
  { about: 'fewer instances', apply: () => ['--max-eval-instances', '2'], work: {} },
  {
    about: 'a loader raised by hand',
    apply: letters('version: own-1', 'version: own-1\n    loader: 2'),
    work: { instances: 4 },
  },
  {
    about: 'another protocol version',
    apply: letters('version: own-1', 'version: own-2'),
    work: { instances: 4 },
  },
  {
    about: 'another default of an argument that no row depends on',
    apply: letters('default: surgery', 'default: medicine'),
    work: { instances: 4 },
  },
  {
    about: 'an erratum corrected',
    apply: () => ['--errata', 'corrected'],
    work: { instances: 3 },
    why: 'one row is dropped, nobody is asked',
  },
  {
    about: 'an erratum declared and not applied',
    apply: letters('errata:\n', 'errata:\n  - { id: odd-row, about: Row a1 is odd., drop: [a1] }\n'),
    work: {},
  },
]

/** Who judges, and how. */
export const juryEdits: readonly Edit[] = [
  {
    about: 'the wording of a rubric',
    apply: (root) =>
      writeFiles(root, { 'benchmarks/summaries/rubric.txt': RUBRIC.replace('Judge', 'Please judge') }),
    work: { annotations: 6, metrics: 3, calls: 6 },
  },
  {
    about: "a rubric with another system's line ends",
    apply: (root) => writeFiles(root, { 'benchmarks/summaries/rubric.txt': RUBRIC.replaceAll('\n', '\r\n') }),
    work: {},
  },
  {
    about: 'a rubric under another file name',
    apply: (root) => {
      rmSync(join(root, 'benchmarks/summaries/rubric.txt'))
      writeFiles(root, { 'benchmarks/summaries/criteria.txt': RUBRIC })
      summaries('rubric.txt', 'criteria.txt')(root)
    },
    work: {},
  },
  {
    about: 'a key fewer that a criterion must have',
    apply: summaries('accuracy: [score, explanation]', 'accuracy: [score]'),
    work: { annotations: 6, metrics: 3 },
    why: 'replies are read again, nobody is asked',
  },
  { about: 'the scale', apply: summaries('scale: [1, 5]', 'scale: [0, 5]'), work: {} },
  {
    about: 'a judge added',
    apply: jury('strict', 'mild', 'third'),
    work: { annotations: 3, metrics: 3, calls: 3 },
  },
  { about: 'a judge removed', apply: jury('strict'), work: { metrics: 3 } },
  { about: 'judges in another order', apply: jury('mild', 'strict'), work: { metrics: 3 } },
  {
    about: 'a judge renamed',
    apply: (root) => replace(root, 'benchmarks/judges.yaml', 'name: strict', 'name: severe'),
    work: { metrics: 3 },
  },
  {
    about: 'a judge replaced',
    apply: jury('strict', 'third'),
    work: { annotations: 3, metrics: 3, calls: 3 },
  },
  {
    about: "a judge's price",
    apply: (root) =>
      writeFiles(root, {
        'models/prices.yaml':
          'prices:\n  - {deployment: fake/strict, input: 1, output: 2, date: 2026-01-01, source: its list}\n',
      }),
    work: {},
  },
  {
    about: 'the score of what no judge read',
    apply: summaries('scale: [1, 5]', 'scale: [1, 5]\n      default_score: 2.0'),
    work: { metrics: 3 },
  },
  {
    about: "the name of the jury's metric",
    apply: (root) => {
      summaries('scale: [1, 5]', 'scale: [1, 5]\n      metric: summary_quality')(root)
      summaries('name: summaries_accuracy', 'name: summary_quality')(root)
    },
    work: { metrics: 3 },
  },
]

/** What is measured. */
export const metricEdits: readonly Edit[] = [
  {
    about: 'a metric set added',
    apply: letters('metrics: [exact_match]', 'metrics: [exact_match, summarization]'),
    work: { metrics: 8 },
  },
  {
    about: 'a metric set exchanged',
    apply: letters('metrics: [exact_match]', 'metrics: [exact_match, medec]'),
    work: { metrics: 4 },
  },
  {
    about: 'another main metric',
    apply: letters('name: exact_match, split: test', 'name: quasi_exact_match, split: test'),
    work: {},
  },
  {
    about: 'a mistake that was put right again',
    apply: (root) => writeFiles(root, { [LETTERS_FILE]: LETTERS_YAML }),
    work: {},
  },
]
