import type { Tree } from '@nx/devkit'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { refuseExisting } from './refuse-existing.ts'

export interface BenchmarkOptions {
  readonly name: string
  readonly metric?: string
  readonly access?: 'public' | 'gated' | 'private'
}

/** `nx g medmake:benchmark NAME`: a folder with a declaration, a prompt and a table of two rows to replace. */
export const benchmark = (
  tree: Tree,
  { name, metric = 'exact_match', access = 'private' }: BenchmarkOptions,
): void => {
  if (!/^[\w-]+$/.test(name))
    throw new ProblemError({
      code: 'nx/bad-name',
      message: `${name} is no name for a benchmark`,
      remedy: 'Use letters, digits, dashes and underscores: it stands in run entries and is a folder’s name.',
    })
  const folder = `benchmarks/${name}`
  refuseExisting(tree, `${folder}/benchmark.yaml`)
  tree.write(
    `${folder}/benchmark.yaml`,
    `# Run entries call it ${name}:model=…
name: ${name}
description: What a reader should know of it in one sentence.
# public: its text may go to any model; gated, private: only to those with a data_agreement.
access: ${access}
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 20
metrics:
  - name: ${metric}
`,
  )
  tree.write(`${folder}/prompt.txt`, 'Note: {note}\nDoes the patient smoke now? Answer yes or no.\nAnswer:')
  tree.write(
    `${folder}/data.csv`,
    'note,correct_answer\nSmokes ten a day.,yes\n"Stopped in 2009, none since.",no\n',
  )
}
