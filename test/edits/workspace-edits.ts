import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFiles } from '../rig/workspace.ts'
import { ENTRIES, suite } from './base.ts'
import type { Edit } from './edit.ts'

/** Where things are and what they are called. */
export const workspaceEdits: readonly Edit[] = [
  { about: 'nothing', apply: () => {}, work: {} },
  {
    about: 'entries in another order',
    apply: (root) => writeFiles(root, { 'targets/main.conf': suite(...ENTRIES.toReversed()) }),
    work: {},
  },
  {
    about: 'the suite renamed',
    apply: (root) => renameSync(join(root, 'targets/main.conf'), join(root, 'targets/monthly.conf')),
    work: {},
  },
  {
    about: 'the suite split in two',
    apply: (root) =>
      writeFiles(root, { 'targets/main.conf': suite(ENTRIES[0]), 'targets/second.conf': suite(ENTRIES[1]) }),
    work: {},
  },
  {
    about: 'an entry in two suites',
    apply: (root) => writeFiles(root, { 'targets/second.conf': suite(ENTRIES[1]) }),
    work: {},
  },
  {
    about: 'priorities and groups of entries',
    apply: (root) =>
      writeFiles(root, { 'targets/main.conf': suite(...ENTRIES).replaceAll('"}', '", priority: 1}') }),
    work: {},
  },
  {
    about: 'result files deleted',
    apply: (root) => rmSync(join(root, 'benchmark_output'), { recursive: true }),
    work: {},
  },
  {
    about: 'result files elsewhere',
    apply: () => ['--output-path', 'elsewhere'],
    work: {},
  },
  {
    about: 'the store moved',
    apply: (root) => {
      mkdirSync(join(root, 'moved'), { recursive: true })
      renameSync(join(root, 'cache/store'), join(root, 'moved/store'))
      return ['--store', 'moved/store']
    },
    work: {},
  },
  {
    about: 'the store copied',
    apply: (root) => {
      cpSync(join(root, 'cache/store'), join(dirname(root), 'copied-store'), { recursive: true })
      return ['--store', '../copied-store']
    },
    work: {},
  },
  {
    about: 'the floor below which nothing is ranked',
    apply: (root) => writeFiles(root, { 'medmake.yaml': 'coverage_floor: 0.5\n' }),
    work: {},
  },
  {
    about: 'how often a call is tried',
    apply: (root) => writeFiles(root, { 'medmake.yaml': 'attempts: 2\n' }),
    work: {},
  },
  { about: 'run from a folder within', apply: () => {}, from: { folder: 'benchmarks/letters' }, work: {} },
  {
    about: 'another time zone, language and key',
    apply: () => {},
    from: {
      env: { TZ: 'Asia/Kolkata', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', FAKE_API_KEY: 'another' },
    },
    work: {},
  },
  {
    about: "Nx's .env",
    apply: (root) => writeFiles(root, { '.env': 'FAKE_API_KEY=another\nTZ=Asia/Kolkata\n' }),
    work: {},
  },
  {
    about: 'a benchmark added',
    apply: (root) => {
      writeFiles(root, {
        'benchmarks/more/benchmark.yaml':
          'name: more\ndescription: One more.\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n',
        'benchmarks/more/prompt.txt': 'Say {word}',
        'benchmarks/more/data.csv': 'word,correct_answer\nyes,yes\n',
        'targets/main.conf': suite(...ENTRIES, 'more:model=fake/a'),
      })
    },
    work: { instances: 1, prompts: 1, completions: 1, metrics: 3, calls: 1 },
  },
  {
    about: 'another profile that reads the same',
    apply: () => ['--profile', 'paper-2025'],
    work: { metrics: 3 },
    why: "a jury's score names its profile",
  },
]
