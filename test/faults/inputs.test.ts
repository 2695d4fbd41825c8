import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../cache/package-root.ts'
import type { Board } from '../../targets/board/board.ts'
import { bareEnvironment, medmake } from '../rig/medmake.ts'
import { createWorkspace, type Files } from '../rig/workspace.ts'
import { plainBenchmark } from './fault-workspace.ts'

const SUITE = 'entries: [{description: "plain:model=baseline/first-choice", priority: 1}]\n'

const workspace = (files: Files): string => createWorkspace({ 'targets/main.conf': SUITE, ...files })

describe('data that can not be read', () => {
  const damaged = (table: string): Files => plainBenchmark('plain', table)
  const { 'benchmarks/plain/data.csv': _, ...missing } = plainBenchmark('plain')
  const header = 'note,correct_answer,incorrect_answers'

  test.each([
    ['is missing', missing, 'benchmarks/'],
    ['is torn', damaged(`${header}\nnote 1,yes,[]\n"note 2,ye`), 'benchmarks/'],
    ['has a row of more cells', damaged(`${header}\nnote 1,yes,[]\nnote 2,yes,[],more\n`), 'benchmarks/'],
    ['lacks an answer', damaged(`${header}\nnote 1,yes,[]\nnote 2,,[]\n`), 'benchmarks/'],
  ])('ends with 2 where it %s, and leaves nothing to report', async (_fault, files, code) => {
    const root = workspace(files)
    const run = await medmake(['run'], { cwd: root })
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(`[${code}`) as string })
    const report = await medmake(['report', '--allow-failures'], { cwd: root })
    expect(report.code).not.toBe(0)
    expect(report.stdout).toBe('')
  })
})

describe('what is no file', () => {
  const pipe = (root: string): string => {
    execFileSync('mkfifo', [join(root, 'pipe')])
    return join(root, 'pipe')
  }
  test.each([
    ['a pipe that nobody writes to', pipe],
    ['a file of the kernel that never ends', () => '/proc/kmsg'],
    ['a device', () => '/dev/zero'],
    ['a folder of devices', () => '/dev'],
    ['a folder of the kernel', () => '/proc'],
  ])('is refused as data at once: %s', async (_, place) => {
    const { 'benchmarks/plain/benchmark.yaml': yaml = '', ...files } = plainBenchmark('plain')
    const root = workspace(files)
    const named = yaml.replace(/$/, `\ndataset_file: ${place(root)}\n`)
    writeFileSync(join(root, 'benchmarks/plain/benchmark.yaml'), named)
    const { code, stderr } = await medmake(['run'], { cwd: root })
    expect(stderr).toContain('[benchmarks/unreadable-file]')
    expect(code, stderr).toBe(2)
    const gated = `mimic_rrs:data_path=${place(createWorkspace({}))},model=baseline/first-choice`
    const folder = await medmake(['run', '--run-entries', gated], { cwd: root })
    expect(folder.stderr).toMatch(/\[\w+\/[\w-]+\]/)
    expect(folder.stderr).not.toContain('    at ')
  })
})

test('a prompt that is cut to the window is counted, and its answer measured', async () => {
  const long =
    'note,correct_answer,incorrect_answers\nnote 1,A,"[""B""]"\nnote 2 and more of it than fits,A,"[""B""]"\n'
  const root = workspace({
    ...plainBenchmark('plain', long),
    'models/narrow.yaml': `model_deployments:
  - name: narrow/first
    tokenizer_name: simple/tokenizer1
    max_sequence_length: 35
    client_spec: {class_name: medmake.baseline, args: {name: first-choice}}
`,
    'targets/main.conf': 'entries: [{description: "plain:model=narrow/first", priority: 1}]\n',
  })
  const run = await medmake(['run', '--json'], { cwd: root })
  expect(run.code, run.stderr).toBe(0)
  expect(Object.values((JSON.parse(run.stdout) as { causes: object }).causes)).toMatchObject([
    { 'prompt-truncated': 1 },
  ])
  const report = await medmake(['report', '--json'], { cwd: root })
  const [board] = (JSON.parse(report.stdout) as { boards: readonly Board[] }).boards
  expect(board?.rows[0]?.cells[0]).toMatchObject({
    causes: { 'prompt-truncated': 1 },
    measured: 2,
    evaluated: 2,
  })
  const text = await medmake(['report'], { cwd: root })
  expect(text.stdout).toContain('plain: 1 truncated prompt')
})

describe('a store that takes no more', () => {
  test('ends with 2 where a file is in its place', async () => {
    const root = workspace(plainBenchmark('plain'))
    writeFileSync(join(root, 'store'), '')
    expect(await medmake(['run', '--store', 'store'], { cwd: root })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('[cache/not-a-folder]') as string,
    })
  })

  test('ends with 1 where no more can be written, and goes on once it can', async () => {
    const rows = Array.from({ length: 2000 }, (_, row) => `note ${row},A,"[""B""]"\n`).join('')
    const root = workspace(plainBenchmark('plain', `note,correct_answer,incorrect_answers\n${rows}`))
    const program = join(packageRoot(), 'dist/medmake.js')
    const full = await execa('bash', ['-c', `ulimit -f 512; exec ${process.execPath} ${program} run`], {
      cwd: root,
      env: bareEnvironment(),
      extendEnv: false,
      reject: false,
    })
    expect(full.exitCode).toBe(1)
    expect(full.stderr).toContain('[cache/disk-full]')
    expect(full.stderr).toContain('ulimit -f')
    expect((await medmake(['report'], { cwd: root })).code).toBe(1)
    const run = await medmake(['run'], { cwd: root })
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('1 built') as string })
  })
})
