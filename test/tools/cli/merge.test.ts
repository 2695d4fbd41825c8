import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesWithCanaries, canary } from '../../rig/canary.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { RUN_FILES, timelessFile } from '../../rig/helm-run-files.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const benchmark = (name: string, access: string): Record<string, string> => ({
  [`benchmarks/${name}/benchmark.yaml`]: `name: ${name}
description: Repeats a note.
access: ${access}
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics:
  - name: exact_match
`,
  [`benchmarks/${name}/prompt.txt`]: `${name}: {note}`,
  [`benchmarks/${name}/data.csv`]: `note,correct_answer,incorrect_answers\n${Array.from({ length: 6 }, (_, n) => `${access === 'public' ? `note ${n}` : canary(n)},yes,"[""no""]"`).join('\n')}\n`,
})

/** A machine of its own: same files, a server that answers in its own words to some calls. */
const machine = async (name: string, entries: readonly string[]) => {
  const server = await fakeServer({
    answer: ({ prompt }) => (/[0-2]$/.test(prompt) ? `${name}: ${prompt}` : prompt),
  })
  const cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a']),
    ...benchmark('open', 'public'),
    ...benchmark('own', 'public'),
    ...benchmark('closed', 'private'),
    'targets/main.conf': `entries: [${entries.map((each) => `{description: "${each}:model=fake/a"}`).join(', ')}]`,
  })
  expect((await medmake(['run'], { cwd })).code).toBe(0)
  return { cwd, server }
}

const results = (cwd: string): unknown => {
  const suite = join(cwd, 'benchmark_output/runs/main')
  return readdirSync(suite)
    .filter((run) => existsSync(join(suite, run, 'stats.json')))
    .map((run) => RUN_FILES.map((file) => [run, file, timelessFile(join(suite, run), file)]))
}

const paid = async (cwd: string): Promise<number> =>
  (JSON.parse((await medmake(['spend', '--json'], { cwd })).stdout) as { total: { calls: number } }).total
    .calls

test('two machines’ stores merge, both ways, to the same results at no call, and all payments count', async () => {
  const one = await machine('one', ['open', 'closed'])
  const other = await machine('other', ['open', 'closed'])
  const calls = (await paid(one.cwd)) + (await paid(other.cwd))
  for (const [into, from] of [
    [one, other],
    [other, one],
  ] as const) {
    const merged = await medmake(['cache', 'merge', from.cwd, '--json'], { cwd: into.cwd })
    expect(merged.code, merged.stderr).toBe(0)
  }
  for (const { cwd } of [one, other]) {
    const told = await medmake(['run', '--json'], { cwd })
    expect(JSON.parse(told.stdout)).toMatchObject({ providerCalls: 0 })
    expect(await paid(cwd)).toBe(calls)
  }
  expect(results(one.cwd)).toEqual(results(other.cwd))
  const again = await medmake(['cache', 'merge', other.cwd, '--json'], { cwd: one.cwd })
  expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, differing: 0, replaced: 0 })
})

test('a tier takes one machine’s replies to another, sealed where they are not public', async () => {
  const one = await machine('one', ['open', 'own', 'closed'])
  const other = await machine('other', ['open', 'closed'])
  const tier = temporaryFolder()
  for (const { cwd } of [one, other, one])
    expect((await medmake(['cache', 'push', tier], { cwd })).code).toBe(0)
  expect(filesWithCanaries(tier)).toEqual([])
  for (const { cwd } of [one, other]) {
    const pulled = await medmake(['cache', 'pull', tier], { cwd })
    expect(pulled.code, pulled.stderr).toBe(0)
    await medmake(['run'], { cwd })
  }
  const own = await medmake(['run', '--json', '--run-entries', 'own:model=fake/a', '--suite', 'main'], {
    cwd: other.cwd,
  })
  expect(JSON.parse(own.stdout)).toMatchObject({ providerCalls: 0 })
  expect(results(one.cwd)).toEqual(results(other.cwd))

  // A machine with another key gets what is public, and is told of the rest.
  const third = createWorkspace({})
  const told = await medmake(['cache', 'pull', tier], {
    cwd: third,
    env: { MEDMAKE_VAULT_KEY: 'd4'.repeat(32) },
  })
  expect(told.code).toBe(1)
  expect(told.stderr).toContain('another key')
  for (const wrong of [
    ['cache', 'push'],
    ['cache', 'pull', 's3://bucket'],
    ['cache', 'merge', third],
  ])
    expect((await medmake(wrong, { cwd: third })).code).toBe(2)
})
