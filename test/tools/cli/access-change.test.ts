import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FakeAnswer } from '../../bench/fake-answer.ts'
import type { FakeServer } from '../../bench/fake-server.ts'
import { openStore } from '../../../cache/open-store.ts'
import { canary, filesWithCanaries } from '../../rig/canary.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { RUBRIC, shortYaml } from '../../rig/short-benchmark.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles, type Files } from '../../rig/workspace.ts'

const letters = (access: string): Files => ({
  'benchmarks/letters/benchmark.yaml': shortYaml({
    name: 'letters',
    access,
    judges: ['fake/judge', 'fake/strict'],
    metrics: ['exact_match', 'jury_score'],
  }),
})

const data = (rows: number): Files => ({
  'benchmarks/letters/data.csv': `note,correct_answer\n${Array.from({ length: rows }, (_, row) => `${canary(2 * row)} ends,${canary(2 * row + 1)}`).join('\n')}\n`,
})

/** As of a server that does not say which model answers: the record is then the same, whatever the access. */
const nameless = (content: string): FakeAnswer => ({
  status: 200,
  body: {
    choices: [{ message: { content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 9 },
  },
})

let server: FakeServer
let cwd = ''

const calls = async (
  ...args: readonly string[]
): Promise<{ readonly requests: number; readonly said: string }> => {
  const before = server.journal().requests
  const { code, stdout, stderr } = await medmake(args, { cwd })
  expect(code, stderr).toBe(0)
  return { requests: server.journal().requests - before, said: stdout + stderr }
}

/** On the page of judges: by id what they gave to single answers. */
const namesAnswers = (): boolean =>
  readFileSync(join(cwd, 'benchmark_output/site/judges.html'), 'utf8').includes('#instance=id')

const stored = (): readonly string[] => filesWithCanaries(join(cwd, 'cache'))

beforeAll(async () => {
  server = await fakeServer({
    answer: ({ model, prompt }) =>
      nameless(
        model === 'fake/a'
          ? prompt
          : `{"accuracy": {"score": ${model === 'fake/judge' ? 4 : 2}, "explanation": "${/ZQX7\w+/.exec(prompt)?.[0] ?? ''}"}}`,
      ),
  })
  cwd = createWorkspace({
    'models/m.yaml': modelsYaml(server, ['fake/a', 'fake/judge', 'fake/strict']),
    'benchmarks/letters/prompt.txt': 'Letter: {note}',
    'benchmarks/letters/rubric.txt': RUBRIC,
    ...letters('public'),
    ...data(12),
    'targets/wards.conf': 'entries: [{description: "letters:model=fake/a"}]\n',
  })
})

describe('a benchmark whose access is changed after a run', () => {
  test('is public: its texts lie in the open', async () => {
    expect((await calls('run')).requests).toBe(36)
    // What only an earlier build stands on is text as well.
    writeFiles(cwd, data(10))
    expect((await calls('run')).requests).toBe(0)
    await calls('report')
    expect(stored()).not.toEqual([])
    expect(filesWithCanaries(join(cwd, 'benchmark_output/site'))).not.toEqual([])
    expect(namesAnswers()).toBe(true)
  })

  test('to private: all that was made of it is moved into the vault, at no call', async () => {
    writeFiles(cwd, letters('private'))
    // As of a run that was killed, or of judges that were probed: no build names it.
    const store = await openStore({ path: join(cwd, 'cache/store'), onEvent: () => undefined })
    await store.put('annotations', 'f'.repeat(64), { parsed: canary(0) })
    await store.close()
    const { requests, said } = await calls('run')
    expect(requests).toBe(0)
    expect(said).toMatch(
      /letters:model=fake_a is private now: \d+ values were moved into the vault; git, .* keep/,
    )
    expect(said).toContain('1 target: 0 fresh, 1 built')
    expect(stored()).toEqual([])
    await calls('report')
    expect(filesWithCanaries(join(cwd, 'benchmark_output/site'))).toEqual([])
    expect(namesAnswers()).toBe(false)
    expect(await calls('run')).toMatchObject({
      requests: 0,
      said: expect.stringContaining('1 fresh') as string,
    })
    await calls('cache', 'verify')
    // The answers of rows that come back are in the vault, too.
    writeFiles(cwd, data(12))
    expect((await calls('run')).requests).toBe(0)
    expect(stored()).toEqual([])
  })

  test.skipIf(process.platform === 'win32')('closes the files of its runs to others', () => {
    const folder = join(cwd, 'benchmark_output/runs/wards/letters:model=fake_a')
    const open = ['', ...readdirSync(folder)].filter(
      (name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0,
    )
    expect(open).toEqual([])
  })

  test('to public: all of it is moved out again, at no call', async () => {
    writeFiles(cwd, letters('public'))
    const { requests, said } = await calls('run')
    expect(requests).toBe(0)
    expect(said).toMatch(/letters:model=fake_a is public now: \d+ values were moved out of the vault/)
    expect(stored()).not.toEqual([])
    expect((await calls('run')).said).toContain('1 fresh')
    expect((await calls('report')).requests).toBe(0)
    expect(namesAnswers()).toBe(true)
  })
})

test('report follows a changed access, too', async () => {
  writeFiles(cwd, letters('gated'))
  const { code, stderr } = await medmake(['report', '--allow-failures'], { cwd })
  expect(stderr).not.toContain('no longer has')
  expect(code, stderr).not.toBe(2)
  expect(stored()).toEqual([])
})

test('a change that is taken back before anything was built costs no call', async () => {
  writeFiles(cwd, letters('public'))
  expect((await calls('run')).requests).toBe(0)
  expect(stored()).not.toEqual([])
})

test.each([
  ['and built', true],
  ['and not built yet', false],
])('what was imported %s goes where the access has it, at no call', async (_, isBuilt) => {
  await calls('release', 'create', 'v1')
  const released = join(cwd, 'benchmark_output/releases/v1/bundle')
  const from = cwd
  cwd = createWorkspace(
    Object.fromEntries(
      ['models/m.yaml', 'targets/wards.conf']
        .concat(readdirSync(join(from, 'benchmarks/letters')).map((name) => `benchmarks/letters/${name}`))
        .map((path) => [path, readFileSync(join(from, path), 'utf8')]),
    ),
  )
  await calls('release', 'import', released)
  // Before a run saw the change.
  const tier = temporaryFolder()
  writeFiles(cwd, letters(isBuilt ? 'public' : 'gated'))
  await calls('cache', 'push', tier)
  expect(filesWithCanaries(tier).length > 0).toBe(isBuilt)
  if (isBuilt) expect((await calls('run')).requests).toBe(0)
  for (const access of ['private', 'public', 'gated']) {
    writeFiles(cwd, letters(access))
    expect((await calls('run')).requests, access).toBe(0)
    expect(stored().length > 0, access).toBe(access === 'public')
  }
  // Nobody's ledger tells of what comes back from there.
  const pulled = await medmake(['cache', 'pull', tier], { cwd })
  expect([pulled.code, pulled.stderr.includes('letters lie on the tier in the open')], pulled.stderr).toEqual(
    isBuilt ? [1, true] : [0, false],
  )
  expect(stored()).toEqual([])
  expect((await calls('run', '--tier', tier)).requests).toBe(0)
  expect(stored()).toEqual([])
  await calls('cache', 'seal', tier)
  expect(filesWithCanaries(tier)).toEqual([])
  cwd = from
})

test('what a public benchmark holds as well stays with it, until that is private, too', async () => {
  const named = (name: string, access: string, rows: number): Files =>
    Object.fromEntries(
      Object.entries({
        ...letters(access),
        ...data(rows),
        'benchmarks/letters/prompt.txt': 'Letter: {note}',
        'benchmarks/letters/rubric.txt': readFileSync(join(cwd, 'benchmarks/letters/rubric.txt'), 'utf8'),
      }).map(([path, text]) => [
        path.replace('letters', name),
        text.replace('name: letters', `name: ${name}`),
      ]),
    )
  cwd = createWorkspace({
    'models/m.yaml': modelsYaml(server, ['fake/a', 'fake/judge', 'fake/strict']),
    ...named('letters', 'public', 3),
    ...named('copies', 'public', 4),
    'targets/wards.conf':
      'entries: [{description: "letters:model=fake/a"}, {description: "copies:model=fake/a"}]\n',
  })
  expect((await calls('run')).requests).toBe(12)
  writeFiles(cwd, named('letters', 'private', 3))
  expect(await calls('run')).toMatchObject({
    requests: 0,
    said: expect.stringContaining('2 targets: 1 fresh, 1 built') as string,
  })
  expect(stored()).not.toEqual([])
  // The files of runs are made of each value.
  await calls('release', 'create', 'v1')
  writeFiles(cwd, named('copies', 'private', 4))
  expect((await calls('run')).requests).toBe(0)
  expect(stored()).toEqual([])
})
