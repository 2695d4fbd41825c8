import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { forkMirror } from '../../rig/fork-mirror.ts'
import { RUN_FILES, timelessFile } from '../../rig/helm-run-files.ts'
import { medmake } from '../../rig/medmake.ts'
import { referenceServer, referenceYaml } from '../../rig/reference-server.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const golden = shared('golden/medhelm-0.8') ?? ''
const more = shared('golden/medhelm-0.8-more') ?? ''
const proxies = shared('golden/gated-and-private/inputs/shc_proxy_med') ?? ''
const absent = [golden, more, proxies, shared('tools/fake-llm.mjs') ?? ''].includes('')

const MODEL = 'model=fake/one,model_deployment=fake/one'
const SYNTHETIC = ['synt_family_disclosure', 'synt_right_of_access', 'synt_written_consent']

/** A workspace whose mirror holds the invented data, with models that answer as they did for the original. */
const workspaceFor = async (answers: string, judges: readonly string[] = []): Promise<string> => {
  const cwd = createWorkspace()
  mkdirSync(join(cwd, 'mirror'))
  forkMirror(join(cwd, 'mirror'))
  for (const name of SYNTHETIC) cpSync(join(golden, `synthetic-input/${name}.csv`), join(cwd, `${name}.csv`))
  const proxy = 'medhelm-PROXY-dataset_filtered.csv'
  cpSync(join(proxies, proxy), join(cwd, proxy))
  const served = [referenceYaml('fake/one', 'one', await referenceServer(answers))]
  for (const judge of judges)
    served.push(
      referenceYaml(
        `fake/judge-${judge}`,
        `judge-${judge}`,
        await referenceServer(join(golden, `synthetic-input/answers_judge_${judge}.json`)),
      ),
    )
  writeFiles(cwd, { 'local/model_deployments.yaml': `model_deployments:${served.join('')}\n` })
  return cwd
}

/** Runs entries and holds each run's five files to the original's. */
const expectHelm = async (
  answers: string,
  entries: readonly string[],
  runs: string,
  judges: readonly string[] = [],
): Promise<void> => {
  const cwd = await workspaceFor(answers, judges)
  const flags = ['-m', '12', '--local-path', 'local', '--mirror', 'mirror', '--profile', 'medhelm-0.8']
  const { code, stderr } = await medmake(['run', '-r', ...entries, '--suite', 'g', ...flags], { cwd })
  expect(code, stderr).toBe(0)
  const written = readdirSync(join(cwd, 'benchmark_output/runs/g')).filter((name) =>
    name.includes('fake_one'),
  )
  expect(written).toHaveLength(entries.length)
  for (const run of written)
    for (const file of RUN_FILES) {
      const [ours, theirs] = [join(cwd, 'benchmark_output/runs/g'), runs].map((folder) =>
        // The original took answers of one run for another's.
        timelessFile(join(folder, run), file).replaceAll('"cached": true', '"cached": false'),
      )
      expect(ours, `${run}/${file}`).toBe(theirs)
    }
}

describe.skipIf(absent)("medhelm 0.8.0's files of its own benchmarks, through the real program", () => {
  test('on invented data', { timeout: 120_000 }, async () => {
    const entries = [
      `sct_bench:${MODEL}`,
      `sct_bench:reason=true,few_shot=true,${MODEL}`,
      `medxpert_qa_text:${MODEL}`,
      `healthqa_br:${MODEL}`,
      `mmlu_clinical_afr:subject=clinical_knowledge,lang=af,${MODEL}`,
      ...SYNTHETIC.map((name) => `${name}:data_path=${name}.csv,${MODEL}`),
    ]
    await expectHelm(
      join(golden, 'synthetic-input/answers_one.json'),
      entries,
      join(golden, 'synthetic-runs'),
    )
  })

  test('on chats whose rubrics judges grade item by item', { timeout: 120_000 }, async () => {
    const jury = `jury_config_path=${join(golden, 'judges_two.yaml')},${MODEL}`
    await expectHelm(
      join(golden, 'synthetic-input/answers_one.json'),
      [`health_bench:${jury}`, `health_bench_professional:${jury}`],
      join(golden, 'synthetic-runs'),
      ['a', 'b'],
    )
  })

  test('on replies of odd forms and where a split is missing', { timeout: 120_000 }, async () => {
    const entries = [
      `sct_bench:reason=true,${MODEL}`,
      `sct_bench:few_shot=true,${MODEL}`,
      `mmlu_clinical_afr:subject=virology,lang=nso,${MODEL}`,
      `shc_proxy_med:data_path=medhelm-PROXY-dataset_filtered.csv,${MODEL}`,
    ]
    await expectHelm(join(more, 'input/answers_one.json'), entries, join(more, 'runs'))
  })
})
