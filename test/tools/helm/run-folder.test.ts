import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  handedOutFolder,
  openRunFolder,
  writeRun,
  type ResultFiles,
} from '../../../tools/helm/write/write-run.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('only its owner enters the folder of a run that is not public', async () => {
  for (const access of ['gated', 'private'] as const) {
    const path = join(temporaryFolder(), 'runs/s/r')
    expect(await openRunFolder(path, { access })).toEqual({ path })
    expect(modeOf(path)).toBe(0o700)
  }
})

test('what was written while a benchmark was public is closed once it is not', async () => {
  const path = join(temporaryFolder(), 'r')
  mkdirSync(path)
  chmodSync(path, 0o755)
  writeFileSync(join(path, 'scenario_state.json'), '{}')
  chmodSync(join(path, 'scenario_state.json'), 0o644)
  await openRunFolder(path, { access: 'public' })
  expect(modeOf(join(path, 'scenario_state.json'))).toBe(0o644)
  await openRunFolder(path, { access: 'private' })
  expect([modeOf(path), modeOf(join(path, 'scenario_state.json'))]).toEqual([0o700, 0o600])
})

/** Compiled, never called: what the types must refuse. */
export const refused = (run: ResultFiles): void => {
  // @ts-expect-error -- of a path nobody looked at who may read it
  void writeRun('benchmark_output/runs/s/r', run)
  // @ts-expect-error -- nor of a folder made by hand
  void writeRun({ path: 'benchmark_output/runs/s/r' }, run)
  // @ts-expect-error -- a release without texts has no folder for them
  handedOutFolder('bundle/runs/s/r', { withText: false })
}
