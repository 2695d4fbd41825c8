import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const RUN = ['run', '--run-entries', 'demo_multiple_choice:model=baseline/lead', '-m', '1']

test.each(['../../x', '..', '.hidden', 'a/b', String.raw`a\b`, '/tmp/x', 'a\nb'])(
  'the suite name %j is refused wherever it would become a folder',
  async (name) => {
    const cwd = createWorkspace()
    for (const args of [
      [...RUN, `--suite=${name}`],
      ['summarize', `--suite=${name}`],
      ['summarize', '--release', 'r', `--suites=${name}`],
      ['summarize', `--release=${name}`, '--suites', 'a'],
      ['serve', `--suite=${name}`],
      ['serve', `--release=${name}`],
    ]) {
      const { code, stderr } = await medmake(args, { cwd })
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining('cli/bad-flag')])
    }
    expect(readdirSync(cwd)).toEqual(['medmake.yaml'])
  },
)

test('a suite that is named twice is one', async () => {
  const cwd = createWorkspace()
  const targets = async (...names: string[]): Promise<unknown> => {
    const { stdout } = await medmake(['estimate', ...names, '--models-to-run', 'baseline/lead'], { cwd })
    return stdout.split(':')[0]
  }
  expect([await targets('demo'), await targets('demo', 'demo')]).toEqual(['3 targets', '3 targets'])
})

test('names with dots and blanks within are fine', async () => {
  const cwd = createWorkspace()
  expect(await medmake([...RUN, '--suite', 'v1.0 trial'], { cwd })).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, 'benchmark_output/runs/v1.0 trial'))).toBe(true)
})
