import { describe, expect, it } from 'vitest'
import { gridFiles } from '../../bench/grid-files.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { createNxWorkspace, nx, startNx } from '../../rig/nx.ts'
import { nxRun } from '../../rig/nx-tasks.ts'

const SCORE = ['run-many', '-t', 'score']

describe('pairs on a server', () => {
  it('that fail are told, stop no other, and are tried again alone; those that wait before that are no leak', async () => {
    let broken = true
    const busy = new Set<string>()
    const server = await fakeServer({
      answer: ({ model, prompt }) => {
        if (broken && model === 'm01' && prompt.includes('Is 1 of b00'))
          return { status: 400, body: { error: { message: 'refused for the test' } } }
        const isFirst = !busy.has(`${model} ${prompt}`)
        busy.add(`${model} ${prompt}`)
        return isFirst ? { status: 503, body: { error: { message: 'busy' } } } : 'A'
      },
    })
    const cwd = createNxWorkspace(gridFiles({ benchmarks: 1, models: 14, rows: 2, url: server.url }))
    const first = await nxRun(SCORE, { cwd, env: { NX_DEFAULT_OUTPUT_STYLE: 'static' } })
    expect(first.code).toBe(1)
    expect(first.failed).toEqual(['grid_m01--b00:generate'])
    expect(first.output).toContain('error: 1 failed of 2 requests [nx/incomplete]')
    expect(first.output).toContain('refused for the test')
    expect(first.output).not.toContain('MaxListeners')
    broken = false
    const second = await nxRun(SCORE, { cwd })
    expect(second).toMatchObject({ code: 0, ran: ['grid_m01--b00:generate', 'grid_m01--b00:score'] })
    expect(server.journal()).toMatchObject({ answered: 28, duplicates: 0 })
  })

  it('keep one limit for each deployment, however many pairs run', async () => {
    const server = await fakeServer({ latency: 5 })
    const grid = { benchmarks: 6, models: 1, rows: 8, url: server.url, concurrency: 3 }
    const cwd = createNxWorkspace(gridFiles(grid))
    expect(await nx(SCORE, { cwd })).toMatchObject({ code: 0 })
    expect(server.journal()).toMatchObject({ answered: 48, duplicates: 0, inFlightMax: 3 })
  })

  it('are asked nothing where the tier is not there, and the remedy is told with it', async () => {
    const server = await fakeServer({})
    const files = gridFiles({ benchmarks: 1, models: 1, rows: 2, url: server.url })
    const tier = 'store: { tier: nowhere }'
    const cwd = createNxWorkspace({ ...files, 'medmake.yaml': `${files['medmake.yaml'] ?? ''}${tier}\n` })
    const { code, output } = await nx(SCORE, { cwd, env: { NX_DEFAULT_OUTPUT_STYLE: 'static' } })
    expect(code, output).toBe(1)
    expect(output).toMatch(/nowhere: .* \[cache\/no-tier\]\s+Make the folder/)
    expect(server.journal()).toMatchObject({ requests: 0 })
  })

  it('pay for no call twice after a kill', async () => {
    const server = await fakeServer({ latency: 5 })
    const grid = { benchmarks: 4, models: 2, rows: 8, url: server.url, concurrency: 2 }
    const cwd = createNxWorkspace(gridFiles(grid))
    const running = startNx(SCORE, { cwd })
    await server.received(24)
    running.kill('SIGKILL')
    await running
    expect(await nx(SCORE, { cwd })).toMatchObject({ code: 0 })
    const { answered, duplicates } = server.journal()
    expect(answered - duplicates).toBe(64)
    // Calls in flight at the kill are asked again: their answers never arrived.
    expect(duplicates).toBeLessThanOrEqual(4)
  })
})
