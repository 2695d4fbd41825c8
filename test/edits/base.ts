import { modelsYaml } from '../rig/fake-server.ts'
import type { Files } from '../rig/workspace.ts'

/** Rows of letters.csv: `id,ward,note,stopped,split,aside`; `aside` is used by nothing. */
export const LETTERS = [
  't1,surgery,Warfarin was stopped.,warfarin,train,x',
  't2,surgery,Aspirin was stopped.,aspirin,train,x',
  'a1,surgery,Heparin was stopped.,heparin,test,x',
  'a2,surgery,Metformin was stopped.,metformin,test,x',
  'a3,surgery,Ibuprofen was stopped.,ibuprofen,test,x',
  'a4,surgery,Digoxin was stopped.,digoxin,test,x',
]
export const lettersCsv = (rows: readonly string[] = LETTERS): string =>
  `id,ward,note,stopped,split,aside\n${rows.join('\n')}\n`

/** A benchmark in full form: two training rows, four evaluated ones, one example in each prompt. */
export const LETTERS_YAML = `name: letters
display_name: Letters
description: Asks for the one medicine that a letter stops.
access: public
errata:
  - { id: copied-row, about: Row a3 repeats another., drop: [a3] }
protocols:
  - version: own-1
    arguments:
      ward: { default: surgery }
    data:
      letters: { path: letters.csv, format: csv }
    instances:
      - from: letters
        split: train
        keep: [{ column: split, equals: train }]
        id: '{id}'
        input: 'Letter: {note}'
        references: [{ text: '{stopped}', correct: true }]
      - from: letters
        split: test
        keep: [{ column: split, equals: test }]
        id: '{id}'
        input: 'Letter: {note}'
        references: [{ text: '{stopped}', correct: true }]
    adapter:
      method: generation
      instructions: Answer with one word.
      max_train_instances: 1
      max_tokens: 8
      stop_sequences: ['###']
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`

export const judges = (...names: readonly string[]): string =>
  `judges: [${names.map((name) => `{name: ${name}, model: fake/${name}, model_deployment: fake/${name}}`).join(', ')}]\n`

/** Three rows and two judges. */
export const SUMMARIES_YAML = `name: summaries
description: Short answers that a jury reads.
access: public
protocols:
  - version: own-1
    data:
      notes: { path: notes.csv, format: csv }
    instances:
      - { from: notes, split: test, id: '{id}', input: '{note}', references: [{ text: '{gold}', correct: true }] }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 20 }
    metrics: [basic, llm_jury]
    main_metric: { name: summaries_accuracy, split: test }
    jury:
      rubric: rubric.txt
      criteria: { accuracy: [score, explanation] }
      scale: [1, 5]
`

export const RUBRIC = `Judge {RESPONSE} to {QUESTION}, knowing {GOLD_RESPONSE}.
<rubric_criteria>
{"accuracy": {"score": 0, "explanation": "why"}}
</rubric_criteria>
`

export const NOTES_CSV = 'id,note,gold\nn1,first note,one\nn2,second note,two\nn3,third note,three\n'

/** Two rows, by code of the workspace. */
export const CODED_YAML = `name: coded
description: Asks what its own code says.
access: public
protocols:
  - version: own-1
    data: { rows: { path: data.csv, format: csv } }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 8 }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
    annotators: [{ name: length, args: { unit: word } }]
`

export const ANNOTATOR = `import { split } from './split.js'

export const annotator = {
  fields: [{ name: 'long', type: 'boolean' }],
  annotate: ({ completion, args }) => ({ long: split(completion, args.unit).length > 3 }),
}
`

export const SCENARIO = `import { ask } from './ask.js'

export const instances = (data) =>
  [...data.tables.get('rows').rows].map(({ cells }) => ({
    input: { text: ask(cells.get('question')) },
    references: [{ text: 'yes', tags: ['correct'] }],
    split: 'test',
  }))
`

export const suite = (...entries: readonly string[]): string =>
  `entries: [\n${entries.map((entry) => `  {description: "${entry}"}`).join('\n')}\n]\n`

export const ENTRIES = ['letters:model=fake/a', 'summaries:model=fake/a'] as const

export const MODELS = ['fake/a', 'fake/strict', 'fake/mild', 'fake/third'] as const

/** The workspace that every edit starts from. */
export const baseFiles = (server: { readonly url: string }): Files => ({
  'package.json': '{"type": "module"}',
  'medmake.yaml': '',
  'models/fake.yaml': modelsYaml(server, MODELS),
  'benchmarks/letters/benchmark.yaml': LETTERS_YAML,
  'benchmarks/letters/letters.csv': lettersCsv(),
  'benchmarks/summaries/benchmark.yaml': SUMMARIES_YAML,
  'benchmarks/judges.yaml': judges('strict', 'mild'),
  'benchmarks/summaries/rubric.txt': RUBRIC,
  'benchmarks/summaries/notes.csv': NOTES_CSV,
  'targets/main.conf': suite(...ENTRIES),
})

/** Three rows and two judges, whose replies are cut by tokens. */
export const cutFiles = (server: { readonly url: string }): Files => ({
  ...baseFiles(server),
  'medmake.yaml': 'profile: medhelm-0.8\n',
  'models/fake.yaml': modelsYaml(server, MODELS).replaceAll(
    /- name: .*\n/g,
    '$&    tokenizer_name: openai/cl100k_base\n',
  ),
  'benchmarks/summaries/benchmark.yaml': SUMMARIES_YAML.replace('max_tokens: 20', 'max_tokens: 12'),
  'targets/main.conf': suite(ENTRIES[1]),
})

/** A workspace with code of its own: each run needs a process of its own, as Node keeps what it imported. */
export const codedFiles = (server: { readonly url: string }): Files => ({
  'package.json': '{"type": "module", "imports": {"#lib/*": {"import": "./targets/lib/*.mjs"}}}',
  'medmake.yaml': '',
  'models/fake.yaml': modelsYaml(server, MODELS),
  'benchmarks/coded/benchmark.yaml': CODED_YAML,
  'benchmarks/coded/scenario.js': SCENARIO,
  'benchmarks/coded/ask.js':
    "import { readFileSync } from 'node:fs'\nconst { say } = JSON.parse(readFileSync(new URL('./words.json', import.meta.url), 'utf8'))\nexport const ask = (question) => `${say} ${question}`\n",
  'benchmarks/coded/words.json': '{"say": "Say"}\n',
  'targets/annotators/length.js': ANNOTATOR,
  'targets/annotators/split.js':
    "import { between } from '#lib/between'\nexport const split = (text, unit) => text.split(between(unit))\n",
  'targets/lib/between.mjs': "export const between = (unit) => (unit === 'word' ? ' ' : '')\n",
  'benchmarks/coded/data.csv': 'question\nfirst\nsecond\n',
  'targets/main.conf': suite('coded:model=fake/a'),
})
