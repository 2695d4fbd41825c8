import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FakeAnswer, FakeCall } from '../../bench/fake-answer.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const ROWS = 6

const answer = ({ model, prompt }: FakeCall): FakeAnswer => {
  if (prompt.includes('note 3') && model === 'fake/a')
    return { status: 400, body: { error: { message: 'no such note' } } }
  return model === 'fake/judge' ? '{"accuracy": {"score": 4, "explanation": ""}}' : `About: ${prompt}`
}

const opened = async (access = 'public', answers: (call: FakeCall) => FakeAnswer = answer) => {
  const server = await fakeServer({ answer: answers })
  const deployment = (name: string): string =>
    `  - name: ${name}\n    data_agreement: private\n    client_spec: {class_name: medmake.chat, args: {base_url: "${server.url}", model: ${name}, batches: true}}\n`
  const price = (name: string): string =>
    `  - {deployment: ${name}, input: 2, output: 4, batch_input: 1, batch_output: 2, date: 2026-01-01, source: "https://prices.example"}\n`
  const cwd = createWorkspace({
    'models/fake.yaml': `model_deployments:\n${deployment('fake/a')}${deployment('fake/judge')}prices:\n${price('fake/a')}${price('fake/judge')}`,
    ...shortBenchmark(
      { name: 'notes', access, judges: ['fake/judge'] },
      { data: `note\n${Array.from({ length: ROWS }, (_, row) => `note ${row}\n`).join('')}` },
    ),
    'targets/main.conf': 'entries: [{description: "notes:model=fake/a"}]',
  })
  const run = (...flags: readonly string[]) => medmake(['run', ...flags], { cwd })
  return { server, cwd, run }
}

const all = (call: FakeCall): FakeAnswer => {
  const { model, prompt } = call
  return model === 'fake/judge' ? '{"accuracy": {"score": 4, "explanation": ""}}' : `About: ${prompt}`
}

const spent = async (cwd: string): Promise<{ readonly calls: number; readonly usd: number }> => {
  const { stdout } = await medmake(['spend', '--json'], { cwd })
  return (JSON.parse(stdout) as { total: { calls: number; usd: number } }).total
}

interface Tables {
  readonly tables: readonly { readonly table: string; readonly records: number }[]
}

const batchesIn = async (cwd: string): Promise<{ readonly open: number; readonly vault: number }> => {
  const stats = JSON.parse((await medmake(['cache', 'stats', '--json'], { cwd })).stdout) as Tables & {
    readonly vault: Tables
  }
  const count = ({ tables }: Tables): number =>
    tables.find(({ table }) => table === 'batches')?.records ?? Number.NaN
  return { open: count(stats), vault: count(stats.vault) }
}

describe('medmake run --batch', () => {
  it('sends, ends, and collects later: models first, then judges', async () => {
    const { server, cwd, run } = await opened('public', all)
    server.endBatches('in_progress')
    const first = await run('--batch')
    expect(first).toMatchObject({ code: 1 })
    expect(first.stderr).toMatch(/waiting: batch batch_1: 6 requests to fake\/a, sent 20/)
    const { waiting, causes } = JSON.parse((await run('--batch', '--json')).stdout) as Record<string, unknown>
    expect(waiting).toMatchObject([{ id: 'batch_1' }])
    expect(causes).toEqual({ 'notes:model=fake_a': { 'not-stored': ROWS } })
    expect((await medmake(['estimate'], { cwd })).stdout).toContain(
      '6 calls to pay for, beside 6 that batches have',
    )
    server.endBatches('completed')
    const second = await run('--batch')
    expect(second.stderr).toMatch(/waiting: batch batch_2: 6 requests to fake\/judge/)
    const third = await run('--batch')
    expect(third).toMatchObject({ code: 0, stderr: '' })
    expect(third.stdout).toMatch(/1 built/)
    expect(server.journal()).toMatchObject({ requests: 0, batchAnswered: 2 * ROWS, duplicates: 0 })
    expect(readdirSync(join(cwd, 'benchmark_output/runs/main/notes:model=fake_a'))).toContain('stats.json')
    expect((await run()).stdout).toMatch(/1 fresh/)
  })

  it('tells before anything is paid who takes no batches, and so is asked directly', async () => {
    const { server, cwd, run } = await opened('public', all)
    const file = join(cwd, 'models/fake.yaml')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('model: fake/judge, batches: true', 'model: fake/judge'),
    )
    const told =
      '--batch: not known to take these calls in batches, so asked directly, at full price: fake/judge'
    expect((await run('--batch', '-d')).stderr).toBe(told)
    expect(server.journal()).toMatchObject({ requests: 0 })
    expect((await run('--batch')).stderr).toContain(told)
    expect((await run('-d')).stderr).toBe('')
  })

  it('waits where it is told to, and is told what each cost at the price of batches', async () => {
    const { server, cwd, run } = await opened('public', all)
    const { code, stdout } = await run('--batch', '--wait')
    expect(code).toBe(0)
    expect(stdout).toMatch(/12 provider calls/)
    expect(server.journal()).toMatchObject({ requests: 0, batchAnswered: 2 * ROWS })
    const direct = await opened('public', all)
    expect((await direct.run()).code).toBe(0)
    const [batch, single] = [await spent(cwd), await spent(direct.cwd)]
    expect(batch.calls).toBe(12)
    expect(batch.usd).toBeGreaterThan(0)
    expect(batch.usd).toBeCloseTo(single.usd / 2, 12)
  })

  it('asks nothing again by itself that a batch has', async () => {
    const { server, run } = await opened('public', all)
    server.endBatches('in_progress')
    await run('--batch')
    const plain = await run()
    expect(plain).toMatchObject({ code: 1 })
    expect(plain.stderr).toContain('waiting: batch batch_1')
    expect(server.journal()).toMatchObject({ requests: 0 })
    server.endBatches('completed')
    expect((await run()).code).toBe(0)
    expect(server.journal()).toMatchObject({ requests: ROWS, batchAnswered: ROWS, duplicates: 0 })
  })

  it('enters what a batch cost though all of it came otherwise, and waits for no batch of another run', async () => {
    const { server, cwd, run } = await opened('private', all)
    server.endBatches('in_progress')
    await run('--batch')
    const store = { cwd, env: { MEDMAKE_STORE: join(cwd, 'other') } }
    expect((await medmake(['run'], store)).code).toBe(0)
    await medmake(['cache', 'merge', join(cwd, 'other')], { cwd })
    const again = await run('--batch', '--wait')
    expect(again).toMatchObject({ code: 0 })
    expect(again.stderr).toContain('under way, though nothing waits for it: batch batch_1: 6 requests')
    server.endBatches('completed')
    expect(await run()).toMatchObject({ code: 0, stderr: '' })
    expect(await spent(cwd)).toMatchObject({ calls: 3 * ROWS })
  })

  it('makes failures by cause of lines that failed', async () => {
    const { run } = await opened()
    const { code, stderr } = await run('--batch', '--wait')
    expect(code).toBe(1)
    expect(stderr).toMatch(/ 1 failed, first id3: http\/400 no such note/)
  })

  it.each([
    ['expired', 'batch/expired'],
    ['cancelled', 'batch/cancelled'],
  ] as const)('keeps the replies of a batch that %s, and asks the rest anew', async (end, cause) => {
    const { server, run } = await opened('public', all)
    server.endBatches('in_progress')
    await run('--batch')
    server.endBatches(end)
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain(cause)
    expect(server.journal()).toMatchObject({ batchAnswered: ROWS / 2 })
    server.endBatches('completed')
    expect((await run('--batch', '--wait')).code).toBe(0)
    expect(server.journal()).toMatchObject({ duplicates: 0 })
  })

  it('tells why a batch failed as a whole', async () => {
    const { server, run } = await opened('public', all)
    server.endBatches('failed')
    const { code, stderr } = await run('--batch', '--wait')
    expect(code).toBe(1)
    expect(stderr).toContain('batch/failed')
    expect(stderr).toContain('the file is not well formed')
  })

  it('brings back what it sent where a benchmark was private for a run that was refused', async () => {
    const { server, cwd, run } = await opened('public', all)
    server.endBatches('in_progress')
    expect((await run('--batch')).code).toBe(1)
    const edit = (file: string, from: string, to: string): void =>
      writeFileSync(join(cwd, file), readFileSync(join(cwd, file), 'utf8').replaceAll(from, to))
    edit('models/fake.yaml', 'data_agreement: private', 'data_agreement: none')
    edit('benchmarks/notes/benchmark.yaml', 'access: public', 'access: private')
    expect((await run('--batch')).stderr).toContain('[models/data-agreement]')
    expect(await batchesIn(cwd)).toEqual({ open: 0, vault: 1 })
    edit('benchmarks/notes/benchmark.yaml', 'access: private', 'access: public')
    expect((await run('--batch')).stderr).toContain('waiting: batch batch_1: 6 requests')
    expect(await batchesIn(cwd)).toEqual({ open: 1, vault: 0 })
  })

  it('keeps what it sends of private benchmarks in the vault, and brings there what it sent before one was', async () => {
    const { server, cwd, run } = await opened('public', all)
    server.endBatches('in_progress')
    expect((await run('--batch')).code).toBe(1)
    const file = join(cwd, 'benchmarks/notes/benchmark.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('access: public', 'access: private'))
    expect((await run('--batch')).stderr).toContain('waiting: batch batch_1: 6 requests')
    expect(await batchesIn(cwd)).toEqual({ open: 0, vault: 1 })
    server.endBatches('completed')
    expect((await run('--batch')).stderr).toContain('waiting: batch batch_2: 6 requests')
    expect(await batchesIn(cwd)).toEqual({ open: 0, vault: 1 })
    expect((await run('--batch')).code).toBe(0)
    expect(server.journal()).toMatchObject({ requests: 0, batchAnswered: 2 * ROWS })
  })

  it('asks by single calls where a deployment takes no batches', async () => {
    const { server, cwd, run } = await opened('public', all)
    writeFiles(cwd, {
      // HELM's file wins over the workspace's own.
      'prod_env/model_deployments.yaml': `model_deployments:\n  - name: fake/judge\n    client_spec: {class_name: medmake.chat, args: {base_url: "${server.url}", model: fake/judge}}\n`,
    })
    expect((await run('--batch', '--wait')).code).toBe(0)
    expect(server.journal()).toMatchObject({ requests: ROWS, batchAnswered: ROWS })
  })
})
