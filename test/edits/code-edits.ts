import { ANNOTATOR, SCENARIO } from './base.ts'
import { writeFiles } from '../rig/workspace.ts'
import { replace, type Edit } from './edit.ts'

/** Code of the workspace, which is a part of what decides instances and annotations. */
export const codeEdits: readonly Edit[] = [
  { about: 'nothing', apply: () => {}, work: {} },
  {
    about: 'scenario code that gives other texts',
    apply: (root) => replace(root, 'benchmarks/coded/scenario.js', 'text: ask(', "text: 'Now. ' + ask("),
    work: { instances: 2, prompts: 2, completions: 2, annotations: 2, metrics: 2, calls: 2 },
  },
  {
    about: 'code that it imports',
    apply: (root) => replace(root, 'benchmarks/coded/ask.js', '`${say}', '`Please ${say}'),
    work: { instances: 2, prompts: 2, completions: 2, annotations: 2, metrics: 2, calls: 2 },
  },
  {
    about: 'a table that this reads',
    apply: (root) => replace(root, 'benchmarks/coded/words.json', '"Say"', '"Please say"'),
    work: { instances: 2, prompts: 2, completions: 2, annotations: 2, metrics: 2, calls: 2 },
  },
  {
    about: 'a comment in its code',
    apply: (root) => writeFiles(root, { 'benchmarks/coded/scenario.js': `// asks\n${SCENARIO}` }),
    work: { instances: 2 },
    why: 'what code says is not looked into; its instances come out the same',
  },
  {
    about: 'code that it does not import',
    apply: (root) => writeFiles(root, { 'benchmarks/coded/other.js': 'export const other = 1\n' }),
    work: {},
  },
  {
    about: "an annotator's code",
    apply: (root) => replace(root, 'targets/annotators/length.js', '> 3', '> 4'),
    work: { annotations: 2 },
    why: 'no metric of the benchmark reads annotations',
  },
  {
    about: 'code that an annotator imports',
    apply: (root) => replace(root, 'targets/annotators/split.js', 'text.split', 'text.trim().split'),
    work: { annotations: 2 },
  },
  {
    about: 'code that this imports by a name of the workspace',
    apply: (root) => replace(root, 'targets/lib/between.mjs', "'word'", "'words'"),
    work: { annotations: 2 },
  },
  {
    about: 'arguments of an annotator',
    apply: (root) => replace(root, 'benchmarks/coded/benchmark.yaml', 'unit: word', 'unit: letter'),
    work: { annotations: 2 },
  },
  {
    about: 'code that no benchmark names',
    apply: (root) => writeFiles(root, { 'targets/annotators/other.js': ANNOTATOR }),
    work: {},
  },
]
