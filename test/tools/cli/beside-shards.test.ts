import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeServer } from '../../rig/fake-server.ts'
import { startMedmake } from '../../rig/medmake.ts'
import { alike, shardWorkspace } from '../../rig/shard-workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const ROWS = 40
/** Two models on a public benchmark with a judge, and on a private one. */
const CALLS = 5 * ROWS

test.for([
  { title: 'a part and the whole', first: ['--shard', '0/1'], second: [] },
  { title: 'two workspaces', first: [], second: [] },
  { title: 'parts of two plans', first: ['--shard', '0/1'], second: ['--shard', '0/2'] },
])(
  '$title of what a tier lacks, at once on one machine, pay for no call twice',
  async ({ first, second }) => {
    const server = await fakeServer({ answer: alike, latency: 5 })
    const [tier, limits] = [temporaryFolder(), temporaryFolder()]
    const start = (args: readonly string[]): ReturnType<typeof startMedmake> => {
      const cwd = shardWorkspace(server, { rows: ROWS, limits: '{concurrency: 4}' })
      return startMedmake(['run', '--tier', tier, ...args], { cwd, env: { MEDMAKE_LIMITS: limits } })
    }
    const one = start(first)
    await server.received(20)
    const other = start(second)
    for (const { exitCode, stderr } of await Promise.all([one, other])) expect(exitCode, stderr).toBe(0)
    expect(server.journal()).toMatchObject({ answered: CALLS, duplicates: 0 })
    expect(existsSync(join(limits, 'tiers')) ? readdirSync(join(limits, 'tiers')) : []).toEqual([])
  },
)
