import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { freeSpace } from '../../../cache/disk-space.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake, spawnMedmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const disk = temporaryFolder()
const mount = (size: string, how: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `${how}size=${size}`, 'none', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const mounted = mount('69m', '')
afterAll(() => {
  if (mounted) execFileSync('umount', [disk])
})

const ROWS = 300
const files = (url: string) => ({
  'medmake.yaml': '',
  'models/fake.yaml': modelsYaml({ url }, ['fake/a'], '{concurrency: 16}'),
  'benchmarks/smoking/benchmark.yaml': `name: smoking
description: Reads whether the patient smokes.
access: public
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics:
  - name: exact_match
`,
  'benchmarks/smoking/prompt.txt': 'Smokes? {note}',
  'benchmarks/smoking/data.csv': `note,correct_answer,incorrect_answers\n${Array.from({ length: ROWS }, (_, n) => `note ${n},yes,"[""no""]"`).join('\n')}\n`,
  'targets/main.conf': 'entries: [{description: "smoking:model=fake/a"}]',
})

/** 60 kB that the log can pack to no less than half. */
const noise = (text: string): string =>
  Array.from({ length: 940 }, (_, n) => digestOf(`${text} ${n}`)).join('')

/** Leaves so many bytes free. */
const fill = (left: number): (() => void) => {
  const filler = join(disk, 'filler')
  writeFileSync(filler, Buffer.alloc(Math.max(0, freeSpace(disk) - left)))
  return () => rmSync(filler)
}

// Needs the right to mount a small disk.
describe.skipIf(!mounted)('on a nearly full disk', () => {
  test('no call is begun at the reserve, and what was in flight is kept: nothing is paid for twice', async () => {
    const server = await fakeServer({ answer: ({ prompt }) => noise(prompt) })
    const cwd = join(disk, 'workspace')
    writeFiles(cwd, files(server.url))
    const full = await medmake(['run'], { cwd })
    expect(full.code, full.stderr).toBe(1)
    expect(full.stderr).toContain('cache/disk-full')
    expect(full.stderr.split('cache/disk-full')).toHaveLength(2)
    const paid = server.journal().answered
    expect(paid).toBeGreaterThan(10)
    expect(paid).toBeLessThan(ROWS)
    mount('400m', 'remount,')
    const told = await medmake(['run', '--json'], { cwd })
    expect(told.code, told.stderr).toBe(0)
    expect(server.journal()).toMatchObject({ answered: ROWS, duplicates: 0 })
    rmSync(cwd, { recursive: true })
    mount('69m', 'remount,')
  })

  test('without the index’s lock file every command ends with a code, not with a signal', async () => {
    const server = await fakeServer({})
    const built = createWorkspace(files(server.url))
    expect((await medmake(['run'], { cwd: built })).code).toBe(0)
    const cwd = join(disk, 'workspace')
    cpSync(built, cwd, { recursive: true })
    rmSync(join(cwd, 'cache/store/index.lmdb-lock'), { force: true })
    const free = fill(0)
    const commands = ['run', 'report', 'estimate', 'spend', 'explain smoking', 'compare', 'costs']
    for (const words of [...commands, 'cache stats', 'cache verify', 'cache verify --repair', 'cache gc']) {
      const { code, stderr } = await spawnMedmake(words.split(' '), { cwd })
      expect([words, [0, 1, 2].includes(code), stderr]).toEqual([words, true, stderr])
      expect(stderr).not.toMatch(/^ {4}at /m)
    }
    free()
    const told = await medmake(['run', '--json'], { cwd })
    expect(JSON.parse(told.stdout)).toMatchObject({ providerCalls: 0 })
    rmSync(cwd, { recursive: true })
  })

  test('a full disk under the output is a problem, and the replies are kept', async () => {
    const server = await fakeServer({})
    const cwd = createWorkspace(files(server.url))
    const free = fill(0)
    const args = ['run', '--output-path', join(disk, 'output')]
    const told = await medmake(args, { cwd })
    expect(told.code).toBe(1)
    expect(told.stderr).toContain('cache/disk-full')
    expect(told.stderr).not.toMatch(/^ {4}at /m)
    const report = await medmake(['report', ...args.slice(1)], { cwd })
    expect(report.code).toBe(1)
    expect(report.stderr).not.toMatch(/^ {4}at /m)
    free()
    expect((await medmake(args, { cwd })).code).toBe(0)
    expect(server.journal()).toMatchObject({ answered: ROWS, duplicates: 0 })
  })
})
