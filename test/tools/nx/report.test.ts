import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const suite = (...names: readonly string[]): string =>
  `entries: [${names.map((name) => `{description: "${name}:model=baseline/first-choice"}`).join('\n')}]\n`

/** The executor as Nx calls it, in the workspace's folder. */
const report = async (cwd: string): Promise<string> => {
  const executors = pathToFileURL(join(packageRoot(), 'dist/nx/executors.js')).href
  const call = `const { report } = await import('${executors}'); console.log(JSON.stringify(await report({}, { root: process.cwd() })))`
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', call], { cwd })
  return stdout.trim().split('\n').at(-1) ?? ''
}

test("the report's target fails where an entry is left out, as the command does, and the site is there", async () => {
  const cwd = createWorkspace({
    'medmake.yaml': 'max_eval_instances: 3\n',
    'targets/main.conf': suite('demo_multiple_choice'),
  })
  expect(await medmake(['run'], { cwd })).toMatchObject({ code: 0 })
  expect(await report(cwd)).toBe('{"success":true}')
  writeFiles(cwd, { 'targets/main.conf': suite('demo_multiple_choice', 'vqa_rad') })
  expect((await medmake(['report'], { cwd })).code).toBe(1)
  expect(await report(cwd)).toBe('{"success":false}')
  expect(existsSync(join(cwd, 'benchmark_output/site/index.html'))).toBe(true)
})
