import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Target } from '../../../../targets/record/target.ts'
import { generatePairs, scorePairs } from '../../../../tools/nx/pairs/pair-work.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

test.each([
  ['a model', generatePairs],
  ['a judge', scorePairs],
])(
  'a pair whose files can be put nowhere fails before %s is asked, and is told as what it is',
  async (_, work) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'out'))
    writeFileSync(join(root, 'out/runs'), '')
    const target = { spec: { name: 'one' } } as Target
    const workspace = { path: (path: string) => join(root, path), config: { output_path: 'out' } }
    const told: string[] = []
    await work({
      pairs: [{ project: 'one', suites: ['main'], target }],
      // Whoever asked would open what is not there.
      session: { workspace },
      env: { listener: () => undefined },
      finish: (_target: Target, { success, text }: { success: boolean; text: string }) =>
        told.push(`${success} ${text}`),
    } as unknown as Parameters<typeof scorePairs>[0])
    expect(told).toEqual([expect.stringMatching(/^false error \S*out\/runs: [^\n]*\n/)])
  },
)
