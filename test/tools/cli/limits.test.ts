import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultyAnswer } from '../../bench/faults.ts'
import { gridFiles } from '../../bench/grid-files.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const opened = (url: string, rows: number, concurrency: number, config = ''): string => {
  const { 'medmake.yaml': own = '', ...files } = gridFiles({
    benchmarks: 1,
    models: 1,
    rows,
    url,
    concurrency,
  })
  return createWorkspace({ ...files, 'medmake.yaml': `${own}${config}` })
}

describe('a server with a limit and faults', () => {
  it('answers every call once, without a storm of requests', async () => {
    const calls = 400
    const server = await fakeServer({ answer: faultyAnswer({ perSecond: 150, errors: 0.2, hangs: 0.01 }) })
    const cwd = opened(server.url, calls, 32, 'shortest_timeout: 1\n')
    const { code, stdout } = await medmake(['run', '--json'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ providerCalls: calls, failures: [] })
    const { answered, duplicates, requests } = server.journal()
    expect({ answered, duplicates }).toEqual({ answered: calls, duplicates: 0 })
    expect(requests).toBeLessThanOrEqual(1.4 * calls)
  })

  it('has never more calls in flight than its deployment allows, whatever the processes', async () => {
    const server = await fakeServer({ latency: 5 })
    const env = { MEDMAKE_LIMITS: temporaryFolder() }
    const run = () => medmake(['run'], { cwd: opened(server.url, 60, 4), env })
    const ended = await Promise.all([run(), run(), run()])
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(server.journal().inFlightMax).toBeLessThanOrEqual(4)
    expect(server.journal().answered).toBe(180)
  })

  it('is asked where processes have no place to share it, and that is told; one that was named is insisted on', async () => {
    const server = await fakeServer()
    const cwd = opened(server.url, 3, 4)
    const HOME = join(cwd, 'medmake.yaml')
    const run = await medmake(['run'], { cwd, env: { HOME, MEDMAKE_LIMITS: '' } })
    expect(run.code, run.stderr).toBe(0)
    expect(run.stderr.match(/hold for this process alone/g)).toHaveLength(1)
    const named = { HOME, MEDMAKE_LIMITS: HOME }
    const other = await medmake(['run'], { cwd: opened(server.url, 3, 4), env: named })
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('models/limits-folder')])
  })
})
