import { describe, expect, it } from 'vitest'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { writeFiles } from '../../rig/workspace.ts'
import { ceilingOf, PRICE, printed, promptOf, spendOf, spendWorkspace, wordy } from './spend-workspace.ts'

const ONE_CALL = ceilingOf(promptOf(99))

describe('a cap on a run', () => {
  it.each([0.4, 1.37, 2.9, 5.05])('of %d USD is not overshot, and all of it is used', async (cap) => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 60 })
    const { code, stderr } = await medmake(['run', '--max-usd', String(cap)], { cwd })
    expect(code, stderr).toBe(4)
    expect(stderr).toContain('spend/cap-reached')
    const { total } = await spendOf(cwd)
    expect(total.usd).toBeLessThanOrEqual(cap)
    expect(total.usd).toBeGreaterThan(cap - ONE_CALL)
    expect(total.calls).toBe(server.journal().requests)
  })

  it('leaves a run that goes on where it stopped and pays for nothing twice', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 60 })
    for (let run = 0; run < 3; run += 1)
      expect((await medmake(['run', '--max-usd', '2'], { cwd })).code).toBe(4)
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    expect(server.journal()).toMatchObject({ requests: 60, duplicates: 0 })
    expect((await spendOf(cwd)).total.calls).toBe(60)
  })

  it('below a single call makes none', async () => {
    const server = await fakeServer({ answer: wordy })
    const { code } = await medmake(['run', '--max-usd', '0'], { cwd: spendWorkspace(server, { rows: 5 }) })
    expect(code).toBe(4)
    expect(server.journal().requests).toBe(0)
  })

  it('does not touch a run that fits', async () => {
    const server = await fakeServer({ answer: wordy })
    const { code } = await medmake(['run', '--max-usd', '100'], { cwd: spendWorkspace(server, { rows: 5 }) })
    expect(code).toBe(0)
  })

  it('needs every price, and names the deployment and the line to add', async () => {
    const server = await fakeServer()
    const cwd = spendWorkspace(server, { rows: 5, files: { 'models/prices.yaml': 'prices: []\n' } })
    const { code, stderr } = await medmake(['run', '--max-usd', '1'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('spend/no-price')
    expect(stderr).toContain('{ deployment: fake/a, input: …, output: …, date: YYYY-MM-DD, source: … }')
    expect(server.journal().requests).toBe(0)
  })

  it('asks for no price of a run with nothing to do', async () => {
    const server = await fakeServer()
    const cwd = spendWorkspace(server, { rows: 5 })
    await medmake(['run'], { cwd })
    writeFiles(cwd, { 'models/prices.yaml': 'prices: []\n' })
    expect((await medmake(['run', '--max-usd', '1'], { cwd })).code).toBe(0)
  })

  it('of one deployment is held against its calls', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, {
      rows: 30,
      files: { 'medmake.yaml': 'budget: { deployments: { fake/a: { max_usd: 1 } } }\n' },
    })
    const { code, stderr } = await medmake(['run'], { cwd })
    expect(code).toBe(4)
    expect(stderr).toContain('budget.deployments.fake/a.max_usd')
    expect((await spendOf(cwd)).total.usd).toBeLessThanOrEqual(1)
  })
})

describe('replies that cost more than max_tokens allows', () => {
  const costing = (tokens: number) => () => ({
    status: 200,
    body: {
      choices: [{ message: { content: 'yes' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: tokens },
    },
  })
  const [usd, calls] = [(3 * PRICE.input + 300 * PRICE.output) / 1e6, 8]

  it('are reserved as what the dearest of them cost, and told', async () => {
    const server = await fakeServer({ answer: costing(300) })
    const cwd = spendWorkspace(server, { rows: 60 })
    const { code, stderr } = await medmake(['run', '--max-usd', '50'], { cwd })
    expect(code, stderr).toBe(4)
    expect(stderr).toMatch(/16 replies cost 4\d\.\d\d USD more than max_tokens allows/)
    expect((await spendOf(cwd)).total).toMatchObject({ calls: 16 })
    expect(16 * usd).toBeLessThanOrEqual(50)
  })

  it('pass the cap by no more than the excess of the calls in flight', async () => {
    const server = await fakeServer({ answer: costing(300) })
    const cwd = spendWorkspace(server, { rows: 60 })
    server.hold()
    const running = medmake(['run', '--max-usd', '5'], { cwd })
    await server.received(calls)
    server.release()
    expect((await running).code).toBe(4)
    expect((await spendOf(cwd)).total).toMatchObject({ calls })
  })

  it('are expected by the next run', async () => {
    const server = await fakeServer({ answer: costing(300) })
    const cwd = spendWorkspace(server, { rows: 60 })
    await medmake(['run', '--max-usd', '1'], { cwd })
    const { requests } = server.journal()
    expect((await medmake(['run', '--max-usd', '7'], { cwd })).code).toBe(4)
    expect(server.journal().requests).toBe(requests + 2)
  })

  it.each([-5, 1e12, 0.5])('in a number that cannot be (%d) count at their most', async (tokens) => {
    const server = await fakeServer({ answer: costing(tokens) })
    const cwd = spendWorkspace(server, { rows: 30 })
    const { code, stderr } = await medmake(['run', '--max-usd', '1'], { cwd })
    expect(code).toBe(4)
    expect(stderr).toContain('replies told token counts that cannot be')
    const { total } = await spendOf(cwd)
    expect(total).toMatchObject({ usd: 0, unknownCalls: total.calls })
    expect(total.uncertainUsd).toBeGreaterThan(1 - ONE_CALL)
    expect(total.uncertainUsd).toBeLessThanOrEqual(1)
  })
})

describe('a cap on a day', () => {
  const files = { 'medmake.yaml': 'budget: { per_day: 3 }\n' }

  it('counts what earlier runs spent', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 60, files })
    expect((await medmake(['run'], { cwd })).code).toBe(4)
    const { requests } = server.journal()
    const again = await medmake(['run'], { cwd })
    expect(again.code).toBe(4)
    expect(server.journal().requests).toBe(requests)
    expect((await spendOf(cwd)).total.usd).toBeLessThanOrEqual(3)
  })

  it('is shared by two runs at once', async () => {
    const server = await fakeServer({ answer: wordy, latency: 5 })
    const cwd = spendWorkspace(server, { rows: 60, models: ['fake/a', 'fake/b'], files })
    const codes = await Promise.all(
      ['a', 'b'].map(async (suite) => (await medmake(['run', suite], { cwd })).code),
    )
    expect(codes).toEqual([4, 4])
    const { total } = await spendOf(cwd)
    expect(total.calls).toBe(server.journal().requests)
    expect(total.usd).toBeLessThanOrEqual(3)
    expect(total.usd).toBeGreaterThan(3 - ONE_CALL)
  })

  it('counts calls in flight of a killed run as spent, and says so', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, {
      rows: 60,
      files: { 'medmake.yaml': 'budget: { per_day: 6 }\n' },
    })
    server.hold()
    const killed = startMedmake(['run'], { cwd })
    await server.received(8)
    killed.kill('SIGKILL')
    await killed
    server.release()
    const { abandonedUsd: abandoned } = await spendOf(cwd)
    expect(abandoned).toBeGreaterThanOrEqual(8 * ceilingOf(promptOf(0)) - 1e-9)
    const later = printed(
      await medmake(['spend', '--by', 'judge', '--since', '2999-01-01', '--json'], { cwd }),
    )
    expect(later).toMatchObject({ abandonedUsd: 0, total: { calls: 0 } })
    expect(Object.keys(later as object)).toEqual(['judge', 'total', 'abandonedUsd'])
    expect((await medmake(['run'], { cwd })).code).toBe(4)
    expect((await spendOf(cwd)).total.usd).toBeLessThanOrEqual(6 - abandoned)
  })
})

describe('the ledger', () => {
  it('holds each paid call once, also where the run was killed', async () => {
    const server = await fakeServer({ answer: wordy, latency: 2 })
    const cwd = spendWorkspace(server, { rows: 120 })
    const killed = startMedmake(['run'], { cwd })
    await server.received(40)
    killed.kill('SIGKILL')
    await killed
    const { total } = await spendOf(cwd)
    const stats = (await medmake(['cache', 'stats'], { cwd })).stdout
    const kept = Number(/completions +(\d+)/.exec(stats)?.[1])
    expect(kept).toBeGreaterThan(0)
    expect(total.calls).toBeGreaterThanOrEqual(kept)
    expect(total.calls).toBeLessThanOrEqual(server.journal().answered)
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const after = await spendOf(cwd)
    expect(after.total.calls - total.calls).toBe(120 - kept)
  })

  it('tells attempts without a reply apart, and error statuses not at all', async () => {
    const server = await fakeServer({
      answer: (call) => {
        if (call.attempt > 1) return wordy(call)
        if (call.prompt === promptOf(0)) return { status: 200, body: { choices: [] } }
        return call.prompt === promptOf(1) ? { status: 500 } : wordy(call)
      },
    })
    const cwd = spendWorkspace(server, { rows: 4 })
    const run = await medmake(['run'], { cwd })
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toContain('1 attempt without a reply may have cost')
    const { total } = await spendOf(cwd)
    expect(total).toMatchObject({ calls: 4, uncertainAttempts: 1, unknownCalls: 0 })
    expect(total.uncertainUsd).toBeCloseTo(ceilingOf(promptOf(0)), 9)
  })

  it('knows no cost where the provider tells no usage, and counts the call at its most against a cap', async () => {
    const body = { choices: [{ message: { content: 'yes' }, finish_reason: 'stop' }] }
    const server = await fakeServer({ answer: () => ({ status: 200, body }) })
    const cwd = spendWorkspace(server, { rows: 30 })
    expect((await medmake(['run', '--max-usd', '1'], { cwd })).code).toBe(4)
    const { total } = await spendOf(cwd)
    expect(total).toMatchObject({ usd: 0, unknownCalls: total.calls })
    expect(total.uncertainUsd).toBeLessThanOrEqual(1)
    expect(total.uncertainUsd).toBeGreaterThan(1 - ONE_CALL)
  })

  it('keeps calls about private texts in the vault', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 4, access: 'private' })
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    expect((await spendOf(cwd)).total.calls).toBe(4)
    const other = await medmake(['spend', '--json'], { cwd, env: { MEDMAKE_VAULT_KEY: 'ab'.repeat(32) } })
    expect(other.code).toBe(1)
    expect(printed(other)).toMatchObject({ total: { calls: 0 } })
    expect(other.stderr).toContain('gated and private')
  })

  it('charges the price of the call’s day, whatever the file says later', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 4 })
    await medmake(['run'], { cwd })
    const before = (await spendOf(cwd)).total.usd
    writeFiles(cwd, {
      'models/prices.yaml':
        'prices: [{ deployment: fake/a, input: 1, output: 1, date: 2026-02-01, source: x }]\n',
    })
    expect((await spendOf(cwd)).total.usd).toBe(before)
  })

  it('refuses a day that is none', async () => {
    const cwd = spendWorkspace({ url: 'http://127.0.0.1:9/v1' }, { rows: 1 })
    const { code, stderr } = await medmake(['spend', '--since', '2026-02-30'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('cli/bad-flag')
  })
})

describe('money in the output', () => {
  it('says nothing of stored replies that nobody priced', async () => {
    const server = await fakeServer()
    const cwd = spendWorkspace(server, { rows: 3, files: { 'models/prices.yaml': 'prices: []\n' } })
    expect((await medmake(['run'], { cwd })).stdout).toContain('3 calls of unknown cost')
    expect((await medmake(['run'], { cwd })).stdout).not.toMatch(/cost|USD/)
  })

  it('tells what a run cost, and the next what the cache saved', async () => {
    const server = await fakeServer({ answer: () => 'two words' })
    const cwd = spendWorkspace(server, { rows: 10 })
    const usd = (10 * (3 * PRICE.input + 2 * PRICE.output)) / 1e6
    const first = await medmake(['run'], { cwd })
    expect(first.stdout).toContain(`${usd.toFixed(2)} USD spent`)
    expect(printed(await medmake(['run', '--json'], { cwd }))).toMatchObject({ usd: 0, usdSaved: usd })
    const explained = await medmake(['explain', 'notes'], { cwd })
    expect(explained.stdout).toContain(`its stored replies once cost ${usd.toFixed(2)} USD: 10 calls`)
    expect(explained.stdout).toContain(`saved by the cache in each run: ${usd.toFixed(2)} USD`)
  })
})
