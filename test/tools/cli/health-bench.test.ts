import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  close,
  ENTRY,
  read,
  run,
  valuesOf,
  workspaceOf,
  type Example,
  type Message,
  type Stat,
} from '../../rig/health-bench.ts'
import { shared } from '../../rig/shared.ts'

const golden = shared('golden/health-bench-authors')

describe.skipIf(golden === undefined)('HealthBench as its authors score it, through the real program', () => {
  const folder = golden ?? ''
  const lines = (): readonly Example[] =>
    readFileSync(join(folder, 'examples.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Example)

  test('verdicts, askings, scores, themes, axes and errors', async () => {
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
      readonly examples: readonly {
        readonly asked: readonly number[]
        readonly metrics: Readonly<Record<string, number>>
      }[]
      readonly aggregate: Readonly<
        Record<
          string,
          { readonly mean: number; readonly unclipped_mean: number; readonly bootstrap_std_limit: number }
        >
      >
    }
    // Equal requests share one reply, so no two chats may be equal here.
    const examples = lines().map((example, index) => ({
      ...example,
      prompt: [...example.prompt, { role: 'user', content: `${index}` }],
    }))
    const { cwd, server } = await workspaceOf(examples)
    const { code, stderr } = await run(cwd)
    expect(code, stderr).toBe(0)
    const values = valuesOf(cwd)
    for (const [index, { metrics }] of expected.examples.entries()) {
      const own = values.get(String(index))
      for (const [name, score] of Object.entries(metrics)) close(own?.get(name), score)
      close(own?.get('health_bench_score'), metrics['overall_score'] ?? NaN)
    }
    const means = new Map(
      (read(cwd, 'stats.json') as readonly Stat[]).map(({ name, mean }) => [name.name, mean] as const),
    )
    for (const [name, { mean, bootstrap_std_limit: error }] of Object.entries(expected.aggregate)) {
      if (name === 'score') continue
      close(means.get(name), mean)
      const ours = means.get(`${name}:bootstrap_std`) ?? NaN
      if (error > 1e-6) expect(Math.abs(ours / error - 1), name).toBeLessThan(0.1)
      else expect(ours, name).toBeLessThan(1e-6)
    }
    close(means.get('health_bench_score'), expected.aggregate['overall_score']?.unclipped_mean ?? NaN)
    const asked = expected.examples.reduce(
      (sum, example) => sum + example.asked.reduce((all, times) => all + times, 0),
      0,
    )
    expect(server.journal().requests).toBe(examples.length + asked)
    const grading = server.journal().calls.find(({ model }) => model === 'fake/grader')?.body
    expect(grading).toMatchObject({ temperature: 0.5, max_tokens: 2048 })
  })

  test.each([
    ['with_system_message', ''],
    ['without', 'system=none,'],
  ] as const)('prompts of the grader, %s', async (kind, argument) => {
    const expected = JSON.parse(
      readFileSync(join(folder, 'grader-prompts.json'), 'utf8'),
    ) as readonly Readonly<Record<typeof kind, readonly string[]> & { readonly prompt_id: string }>[]
    const firsts = new Map(lines().map((example) => [JSON.stringify(example.prompt), example])).values()
    const examples = [...firsts]
    const ids = new Set(examples.map((example) => example.prompt_id))
    const { cwd, server } = await workspaceOf(examples, { system: kind !== 'without' })
    const { code, stderr } = await run(cwd, ENTRY.replace(':', `:${argument}`))
    expect(code, stderr).toBe(0)
    const prompts = server
      .journal()
      .calls.filter(({ model }) => model === 'fake/grader')
      .map(({ body }) => (body['messages'] as readonly Message[]).at(-1)?.content ?? '')
      .map((prompt) => createHash('sha256').update(prompt).digest('hex'))
    const wanted = expected
      .filter((example) => ids.has(example.prompt_id))
      .flatMap((example) => example[kind])
    expect(new Set(prompts)).toEqual(new Set(wanted))
  })
})
