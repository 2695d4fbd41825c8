import type { Home } from './new-benchmark.ts'

/** A test that holds the benchmark to `benchmark check`: by Node's own runner in a workspace, by vitest in a clone. */
export const testSample = (name: string, home: Home): { readonly file: string; readonly text: string } =>
  home === 'clone'
    ? { file: `test/benchmarks/catalog/${name}.test.ts`, text: inClone(name) }
    : { file: `test/${name}.test.mjs`, text: inWorkspace(name) }

const inWorkspace = (name: string): string => `// npm test, or node --test
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'

test('${name}: its data can be read, and two instances go through every stage', () => {
  const args = ['medmake', 'benchmark', 'check', '${name}', '--json']
  const found = JSON.parse(execFileSync('npx', args, { encoding: 'utf8' }))
  assert.ok(found.instances.evaluated > 0)
  assert.equal(found.trial.complete, true)
})
`

const inClone = (name: string): string => `import { expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it('${name}: its data can be read, and two instances go through every stage', async () => {
  const { code, stdout, stderr } = await medmake(['benchmark', 'check', '${name}', '--json'], {
    cwd: createWorkspace(),
  })
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ trial: { complete: true } })
})
`
