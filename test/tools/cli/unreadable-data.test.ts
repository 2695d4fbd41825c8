import { expect, test } from 'vitest'
import type { FakeServer } from '../../bench/fake-server.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const simple = (name: string): string =>
  `name: ${name}\ndescription: x\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{ name: exact_match }]\n`

/** Two models on a benchmark that is here and on one whose data the mirror lacks. */
const partlyReadable = (server: FakeServer): string =>
  createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b']),
    'benchmarks/here/benchmark.yaml': simple('here'),
    'benchmarks/here/prompt.txt': '{question}',
    'benchmarks/here/data.csv': 'question,correct_answer\nfirst,A\nsecond,B\n',
    'mirror/.keep': '',
    'targets/main.conf': `entries: [${['medbullets', 'here']
      .flatMap((name) => ['fake/a', 'fake/b'].map((model) => `{ description: "${name}:model=${model}" }`))
      .join(', ')}]\n`,
  })

test('an estimate names the runs whose data cannot be read, and prices the others', async () => {
  const server = await fakeServer()
  const cwd = partlyReadable(server)
  const text = await medmake(['estimate', '--mirror', 'mirror'], { cwd })
  expect(text.code, text.stderr).toBe(1)
  expect(text.stdout).toContain('4 targets: 0 fresh, 2 to build; 4 calls to pay for')
  expect(text.stderr.match(/Not estimated: .*/g)).toEqual([
    expect.stringMatching(/^Not estimated: medbullets:model=fake_a and 1 more: the mirror /),
  ])
  const json = await medmake(['estimate', '--json', '--mirror', 'mirror'], { cwd })
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({
    calls: 4,
    unread: [{ run: 'medbullets:model=fake_a' }, { run: 'medbullets:model=fake_b' }],
  })
  expect(server.journal().requests).toBe(0)
})

test('data that cannot be read keeps no other run from being planned, shown, compared and counted', async () => {
  const cwd = partlyReadable(await fakeServer())
  const say = (...args: string[]) => medmake([...args, '--mirror', 'mirror'], { cwd })
  expect((await say('run')).stdout).toContain('4 targets: 0 fresh, 2 built, 2 failed')
  const planned = await say('run', '--dry-run')
  expect(planned.code).toBe(2)
  expect(planned.stdout).toContain('2 targets: 2 fresh')
  expect(planned.stderr).toContain('2 of 4 runs cannot be built')
  for (const [verb, shown] of [
    ['report', 'wrote: '],
    ['compare', 'fake/a'],
    ['costs', 'fake/a'],
    ['analyze', 'fake/a'],
  ] as const) {
    const { code, stdout, stderr } = await say(verb)
    expect(code, verb + stderr).toBe(1)
    expect(stdout).toContain(shown)
    expect(stderr.match(/benchmarks\/not-mirrored/g)).toHaveLength(1)
    expect(stderr).toContain('medbullets:model=fake_a')
  }
  const explained = await say('explain', 'main')
  expect(explained).toMatchObject({ code: 2, stderr: expect.stringContaining('benchmarks/not-mirrored') })
  expect(explained.stdout).toContain('here:model=fake_b')
  const none = await say('report', '--run-entries', 'medbullets:model=fake/a')
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('benchmarks/not-mirrored')
})
