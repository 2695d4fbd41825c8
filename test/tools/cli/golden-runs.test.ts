import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { standInMirror } from '../../parity/stand-ins.ts'
import { RUN_FILES, timelessFile } from '../../rig/helm-run-files.ts'
import { medmake } from '../../rig/medmake.ts'
import { referenceServer } from '../../rig/reference-server.ts'
import { shared } from '../../rig/shared.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const golden = shared('golden/public-benchmarks') ?? ''
const synthetic = shared('golden/public-synthetic') ?? ''
const absent = [golden, synthetic, shared('mirror') ?? '', shared('tools/fake-llm.mjs') ?? ''].includes('')

let mirror = ''
beforeAll(() => {
  if (!absent) mirror = standInMirror(shared('.') ?? '', temporaryFolder())
})

/** HELM's models on servers that answer as they did for HELM, and a mirror of the data that HELM read. */
const workspaceFor = async (answers: string): Promise<string> => {
  const [plain, answering] = await Promise.all([referenceServer(), referenceServer(answers)])
  const cwd = createWorkspace()
  cpSync(join(golden, 'mix.conf'), join(cwd, 'mix.conf'))
  const deployments = readFileSync(join(golden, 'local/model_deployments.yaml'), 'utf8')
  writeFiles(cwd, {
    'local/model_deployments.yaml': deployments
      .replaceAll('127.0.0.1:PORT_WITH_ANSWERS', answering)
      .replaceAll('127.0.0.1:PORT', plain),
    'local/model_metadata.yaml': readFileSync(join(golden, 'local/model_metadata.yaml'), 'utf8'),
  })
  return cwd
}

/** Runs entries through the real program and holds each run's five files to HELM's. */
const expectHelm = async (answers: string, entries: readonly string[], runs: string, size: number) => {
  const cwd = await workspaceFor(answers)
  const { code, stderr } = await medmake(
    ['run', ...entries, '--suite', 'g', '-m', String(size), '--local-path', 'local', '--mirror', mirror],
    { cwd },
  )
  expect(code, stderr).toBe(0)
  const written = readdirSync(join(cwd, 'benchmark_output/runs/g')).filter((name) => name.includes(':'))
  expect(written.toSorted()).toEqual(
    readdirSync(runs)
      .filter((name) => name.includes('fake_mix'))
      .toSorted(),
  )
  for (const run of written)
    for (const file of RUN_FILES) {
      const ours = timelessFile(join(cwd, 'benchmark_output/runs/g', run), file)
      expect(ours === timelessFile(join(runs, run), file), `${run}/${file} equals HELM's`).toBe(true)
    }
}

describe.skipIf(absent)("HELM's files of the public benchmarks, through the real program", () => {
  test('12 benchmarks on published data', { timeout: 300_000 }, async () => {
    const runs = join(golden, 'benchmark_output/runs/public')
    await expectHelm(join(golden, 'answers.json'), ['--conf-paths', 'mix.conf'], runs, 40)
  })

  test('the other four on invented data', { timeout: 300_000 }, async () => {
    const model = 'model=fake/mix,model_deployment=fake/mix'
    const entries = [
      `medhelm_med_qa:${model}`,
      `medhelm_med_mcqa:${model}`,
      `med_dialog:subset=healthcaremagic,${model}`,
      `med_dialog:subset=icliniq,${model}`,
      `medhallu:${model}`,
    ]
    const runs = join(synthetic, 'runs')
    await expectHelm(join(synthetic, 'answers.json'), ['--run-entries', ...entries], runs, 1000)
  })
})
