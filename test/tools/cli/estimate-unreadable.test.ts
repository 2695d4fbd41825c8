import { expect, test } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const simple = (name: string): string =>
  `name: ${name}\ndescription: x\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{ name: exact_match }]\n`

test('an estimate names the runs whose data cannot be read, and prices the others', async () => {
  const server = await fakeServer()
  const cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a']),
    'benchmarks/here/benchmark.yaml': simple('here'),
    'benchmarks/here/prompt.txt': '{question}',
    'benchmarks/here/data.csv': 'question,correct_answer\nfirst,A\nsecond,B\n',
    'mirror/.keep': '',
    'targets/main.conf':
      'entries: [{ description: "medbullets:model=fake/a" }, { description: "here:model=fake/a" }]\n',
  })
  const text = await medmake(['estimate', '--mirror', 'mirror'], { cwd })
  expect(text.code, text.stderr).toBe(1)
  expect(text.stdout).toContain('2 targets: 0 fresh, 1 to build; 2 calls to pay for')
  expect(text.stderr).toContain('Not estimated: medbullets:model=fake_a')
  const json = await medmake(['estimate', '--json', '--mirror', 'mirror'], { cwd })
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({
    calls: 2,
    unread: [{ run: 'medbullets:model=fake_a' }],
  })
  expect(server.journal().requests).toBe(0)
})
