import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Estimate } from '../../../targets/estimate/estimate.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { RUBRIC, shortBenchmark, shortYaml } from '../../rig/short-benchmark.ts'
import { writeFiles, type Files } from '../../rig/workspace.ts'
import { pricesYaml, printed, spendWorkspace, wordy } from './spend-workspace.ts'

const estimateOf = async (cwd: string, ...args: readonly string[]): Promise<Estimate> => {
  const result = await medmake(['estimate', '--json', ...args], { cwd })
  expect(result.code, result.stderr).toBe(0)
  return printed(result) as Estimate
}

const JURY = shortYaml({ name: 'notes', maxTokens: 30, judges: ['fake/judge'] })

describe('medmake estimate', () => {
  it('counts what the store lacks, and only that', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 50 })
    expect((await estimateOf(cwd)).calls).toBe(50)
    expect(existsSync(join(cwd, 'cache'))).toBe(false)
    await medmake(['run', '-m', '30'], { cwd })
    expect((await estimateOf(cwd)).calls).toBe(20)
    await medmake(['run'], { cwd })
    expect(await estimateOf(cwd)).toMatchObject({ calls: 0, lines: [], usd: { high: 0 } })
    expect(server.journal().requests).toBe(50)
  })

  it('counts equal requests of two suites once', async () => {
    const server = await fakeServer()
    const cwd = spendWorkspace(server, { rows: 5 })
    writeFiles(cwd, {
      'targets/more.conf': 'entries: [{ description: "notes:model=fake/a", priority: 1 }]\n',
    })
    expect((await estimateOf(cwd)).calls).toBe(5)
  })

  it('tells prompts that the window cuts before they are paid for', async () => {
    const server = await fakeServer()
    const cwd = spendWorkspace(server, {
      rows: 0,
      files: {
        'benchmarks/notes/data.csv': `question,correct_answer\n${'word '.repeat(500)},a\nshort,b\n`,
        'models/fake.yaml': modelsYaml(server, ['fake/a']).replace(
          '    limits',
          '    tokenizer_name: openai/cl100k_base\n    max_sequence_length: 200\n    limits',
        ),
      },
    })
    expect((await estimateOf(cwd)).lines).toMatchObject([{ calls: 2, cut: 1 }])
    const { stdout } = await medmake(['estimate'], { cwd })
    expect(stdout).toContain(
      'notes:model=fake_a: 1 of 2 prompts is too long for fake/a and sent without its end',
    )
  })

  it('counts requests of a public and of a private benchmark that are equal twice, as a run makes them', async () => {
    const server = await fakeServer({ answer: wordy })
    const files = (access: 'public' | 'private'): Files =>
      shortBenchmark(
        { name: access, access },
        { prompt: '{question}', data: `question,correct_answer\nq1,a\nq2,a\n${access},a\n` },
      )
    const cwd = spendWorkspace(server, {
      rows: 0,
      files: {
        ...files('public'),
        ...files('private'),
        'targets/main.conf':
          'entries: [{ description: "public:model=fake/a" }, { description: "private:model=fake/a" }]\n',
      },
    })
    expect((await estimateOf(cwd, 'main')).calls).toBe(6)
    expect(printed(await medmake(['run', 'main', '--json'], { cwd }))).toMatchObject({ providerCalls: 6 })
  })

  it('counts one call to a judge for rows that repeat, as the run makes it', async () => {
    const server = await fakeServer({
      answer: (call) =>
        call.model === 'fake/judge' ? '{"accuracy": {"score": 3, "explanation": "so"}}' : wordy(call),
    })
    const cwd = spendWorkspace(server, {
      rows: 0,
      files: {
        'benchmarks/notes/benchmark.yaml': JURY,
        'benchmarks/notes/rubric.txt': RUBRIC,
        'benchmarks/notes/data.csv': 'question,correct_answer\nq1,a\nq2,a\nq2,a\nq3,a\nq2,a\n',
        'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/judge']),
      },
    })
    const { calls, lines } = await estimateOf(cwd)
    expect([calls, ...lines.map((line) => [line.judge, line.calls, line.withoutAnswer])]).toEqual([
      6,
      [null, 3, 0],
      ['fake/judge', 3, 3],
    ])
    expect(printed(await medmake(['run', '--dry-run', '--json'], { cwd }))).toMatchObject({ calls: 6 })
    expect(printed(await medmake(['run', '--json'], { cwd }))).toMatchObject({ providerCalls: 6 })
  })

  it('brackets what the run then costs, with and without replies to go by, judges included', async () => {
    const server = await fakeServer({
      answer: (call) =>
        call.model === 'fake/judge' ? '{"accuracy": {"score": 3, "explanation": "so"}}' : wordy(call),
    })
    const cwd = spendWorkspace(server, {
      rows: 80,
      files: {
        'benchmarks/notes/benchmark.yaml': JURY,
        'benchmarks/notes/rubric.txt': RUBRIC,
        'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/judge']),
        'models/prices.yaml': pricesYaml('fake/a', 'fake/judge'),
      },
    })
    for (const rows of ['30', '80']) {
      const { usd, lines, calls } = await estimateOf(cwd, '-m', rows)
      expect(lines.map(({ judge }) => judge)).toEqual([null, 'fake/judge'])
      expect(lines[0]?.outputTokens.basis).toBe(rows === '30' ? 'stated' : 'benchmark')
      const run = printed(await medmake(['run', '--json', '-m', rows], { cwd })) as {
        usd: number
        providerCalls: number
      }
      expect(run.providerCalls).toBe(calls)
      expect(run.usd).toBeGreaterThanOrEqual(usd?.low ?? Number.NaN)
      expect(run.usd).toBeLessThanOrEqual(usd?.high ?? Number.NaN)
      expect(usd?.high).toBeLessThanOrEqual(usd?.ceiling ?? Number.NaN)
    }
  })

  it('takes replies longer than max_tokens for what they are, though less than a call may cost', async () => {
    const server = await fakeServer({
      answer: () => ({
        status: 200,
        body: {
          choices: [{ message: { content: 'yes' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 3, completion_tokens: 35 },
        },
      }),
    })
    const cwd = spendWorkspace(server, { rows: 50 })
    await medmake(['run', '-m', '25'], { cwd })
    expect(await estimateOf(cwd)).toMatchObject({ calls: 25, outputTokens: { low: 875, high: 875 } })
  })

  it('needs no vault key for public texts', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 5, access: 'private' })
    await medmake(['run'], { cwd })
    const yaml = readFileSync(join(cwd, 'benchmarks/notes/benchmark.yaml'), 'utf8')
    writeFiles(cwd, { 'benchmarks/notes/benchmark.yaml': yaml.replace('private', 'public') })
    const other = { cwd, env: { MEDMAKE_VAULT_KEY: 'ab'.repeat(32) } }
    expect(printed(await medmake(['estimate', '--json', '-m', '4'], other))).toMatchObject({ calls: 4 })
    expect((await medmake(['explain', 'notes'], other)).code).toBe(0)
  })

  it('prints a table and rows', async () => {
    const server = await fakeServer()
    const cwd = spendWorkspace(server, { rows: 5, files: { 'models/prices.yaml': 'prices: []\n' } })
    const { stdout } = await medmake(['estimate'], { cwd })
    expect(stdout).toContain('5 calls to pay for')
    expect(stdout).toContain('unknown')
    expect(stdout).toContain('No price is declared for fake/a')
    const csv = (await medmake(['estimate', '--csv'], { cwd })).stdout.split('\n')
    expect(csv[0]).toContain('run,benchmark,model,judge')
    expect(csv).toHaveLength(2)
  })
})

describe('asking before a run', () => {
  const confirmAbove = (usd: number) => ({ 'medmake.yaml': `budget: { confirm_above: ${usd} }\n` })

  it('refuses without a terminal what may cost more than the workspace allows unasked', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 5, files: confirmAbove(0.1) })
    const refused = await medmake(['run'], { cwd })
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('spend/not-confirmed')
    expect(refused.stderr).toContain('--yes')
    expect(server.journal().requests).toBe(0)
    expect((await medmake(['run', '--yes'], { cwd })).code).toBe(0)
    expect((await medmake(['run'], { cwd })).code).toBe(0)
  })

  it('asks nothing below the threshold', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 5, files: confirmAbove(1000) })
    expect((await medmake(['run'], { cwd })).code).toBe(0)
  })

  it('asks for what nobody can price', async () => {
    const server = await fakeServer()
    const cwd = spendWorkspace(server, {
      rows: 5,
      files: { ...confirmAbove(1000), 'models/prices.yaml': 'prices: []\n' },
    })
    const { code, stderr } = await medmake(['run'], { cwd })
    expect(code).toBe(4)
    expect(stderr).toContain('of unknown cost')
  })

  it('asks on --confirm whatever the sum, and nothing where no call is left to make', async () => {
    const server = await fakeServer({ answer: wordy })
    const cwd = spendWorkspace(server, { rows: 5 })
    expect((await medmake(['run', '--confirm'], { cwd })).code).toBe(4)
    expect(server.journal().requests).toBe(0)
    expect(await medmake(['run', '--confirm', '--yes'], { cwd })).toMatchObject({ code: 0 })
    expect(await medmake(['run', '--confirm'], { cwd })).toMatchObject({ code: 0 })
  })
})
