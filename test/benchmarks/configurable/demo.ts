import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { problemsOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

/** A judge prompt. */
export const RUBRIC =
  'Rate {RESPONSE} against {GOLD_RESPONSE}.\n<rubric_criteria>\n{"accuracy": {"score": 0, "why": ""}}\n</rubric_criteria>\n'
export const JURY =
  'metrics:\n  - name: jury_score\n    prompt_file: judge.txt\n    judges: [{name: a/b, model_name: a/b}]\n'

export const FILES = {
  'b.yaml':
    'name: demo\ndescription: Demo.\nprompt_file: p.txt\ndataset_file: d.csv\nmetrics:\n  - name: exact_match\n',
  'p.txt': 'Note {id}: {note}\nAnswer:',
  'd.csv': 'id,note,correct_answer,incorrect_answers\n001,"a, b",Yes,"[""No""]"\n002,,No,[]\n',
  'judge.txt': RUBRIC,
}

interface Loaded {
  readonly benchmark: Awaited<ReturnType<typeof findBenchmark>>
  readonly instances: readonly Instance[]
}

export const load = async (
  files: Readonly<Record<string, string | Uint8Array>> = {},
  given: Partial<BenchmarkContext> = {},
): Promise<Loaded> => {
  const cwd = temporaryFolder()
  for (const [name, text] of Object.entries({ ...FILES, ...files })) writeFileSync(join(cwd, name), text)
  const context = benchmarkContext({ cwd, workspace: cwd, ...given })
  const args = new Map([['config_path', 'b.yaml']])
  const benchmark = await findBenchmark('medhelm_configurable_benchmark', args, context)
  return { benchmark, instances: await instancesOf(benchmark) }
}

/** The first problem, its file without the folder. */
export const problemOf = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const [problem] = await problemsOf(load(files))
  const file = problem?.where?.file
  return { ...problem, where: { ...problem?.where, ...(file ? { file: file.split('/').at(-1) } : {}) } }
}

export const yaml = (edit: (text: string) => string) => ({ 'b.yaml': edit(FILES['b.yaml']) })
