import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Access } from '../../../../benchmarks/scenario/benchmark.ts'
import type { BenchmarkSummary } from '../../../../benchmarks/lookup/list.ts'
import { createRunAccess } from '../../../../tools/site/content/run-access.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const summary = (name: string, access: Access): BenchmarkSummary =>
  ({ name, access, groups: [name] }) as unknown as BenchmarkSummary

const BENCHMARKS = [summary('open', 'public'), summary('gated', 'gated'), summary('closed', 'private')]

const accessOf = async (name: string, groups: readonly string[], mode = 0o755): Promise<Access> => {
  const workspace = temporaryFolder()
  const directory = join(workspace, 'runs/run')
  mkdirSync(directory, { recursive: true })
  chmodSync(join(workspace, 'runs'), 0o755)
  chmodSync(directory, mode)
  const access = createRunAccess(BENCHMARKS, { workspace, cwd: workspace })
  const scenarioSpec = { className: 'x.Scenario', args: new Map() }
  return access.of({ name, groups, scenarioSpec }, directory)
}

test('Who reads a run’s folder is told by all declarations that may be its, the least open first.', async () => {
  expect(await accessOf('open:model=a', ['open'])).toBe('public')
  expect(await accessOf('open:model=a', ['gated'])).toBe('gated')
  expect(await accessOf('gated,model=a', ['open', 'closed'])).toBe('private')
  expect(await accessOf('closed:model=a', ['open'])).toBe('private')
})

test('A run that no declaration at hand is of is private.', async () => {
  expect(await accessOf('unknown:model=a', [])).toBe('private')
  expect(await accessOf('unknown:model=a', ['open'])).toBe('private')
})

test.skipIf(process.platform === 'win32')('One that was closed when it was written stays so.', async () => {
  expect(await accessOf('open:model=a', ['open'], 0o700)).toBe('private')
})

test('A folder whose run can’t be read is private.', async () => {
  const workspace = temporaryFolder()
  const access = createRunAccess(BENCHMARKS, { workspace, cwd: workspace })
  expect(await access.ofFolder(join(workspace, 'none'))).toBe('private')
  writeFileSync(join(workspace, 'run_spec.json'), '{"name": "open:model=a"')
  expect(await access.ofFolder(workspace)).toBe('private')
})

test('A run of a YAML file is as the file says, where its name is the run’s.', async () => {
  const workspace = temporaryFolder()
  const access = createRunAccess(BENCHMARKS, { workspace, cwd: workspace })
  chmodSync(workspace, 0o755)
  writeFileSync(join(workspace, 'own.yaml'), 'name: own\naccess: public\n')
  const of = (name: string, path = 'own.yaml') => {
    const scenarioSpec = { className: 'x.Scenario', args: new Map([['config_path', path]]) }
    return access.of({ name, groups: [], scenarioSpec }, workspace)
  }
  expect(await Promise.all(['own:model=a', 'own,model=a'].map((name) => of(name)))).toEqual([
    'public',
    'public',
  ])
  expect([await of('owner:model=a'), await of('own:model=a', 'gone.yaml')]).toEqual(['private', 'private'])
})
