import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { freeSpace } from '../../../cache/disk-space.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake, spawnMedmake } from '../../rig/medmake.ts'
import { folderTier } from '../../../cache/tier/folder-tier.ts'
import { RatingLog } from '../../../tools/ratings/rating-log.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { fakeBucket } from '../release/fake-bucket.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'
import { fetchedYaml } from '../../rig/fetched-yaml.ts'

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

const served = async (text: string): Promise<{ port: number; close: () => void }> => {
  const server = createServer((_, response) => response.end(text))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

/** Of a run whose answers fill the disk, and of any other. */
const ROWS = 300
const FEW = 20
const files = (url: string, rows = FEW) => ({
  'medmake.yaml': '',
  'models/fake.yaml': modelsYaml({ url }, ['fake/a'], '{concurrency: 16}'),
  ...shortBenchmark(
    { name: 'smoking', access: 'public' },
    {
      prompt: 'Smokes? {note}',
      data: `note,correct_answer,incorrect_answers\n${Array.from({ length: rows }, (_, n) => `note ${n},yes,"[""no""]"`).join('\n')}\n`,
    },
  ),
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
    writeFiles(cwd, files(server.url, ROWS))
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
    expect(server.journal()).toMatchObject({ answered: FEW, duplicates: 0 })
  })

  test('what finds no room is told by the folder that its user knows', async () => {
    const cwd = createWorkspace({
      'targets/small.conf': 'entries: [{description: "demo_multiple_choice:model=baseline/first-choice"}]',
    })
    expect((await medmake(['run', 'small'], { cwd })).code).toBe(0)
    const output = join(disk, 'output')
    const TMPDIR = join(disk, 'temporary')
    mkdirSync(TMPDIR)
    const { url } = await fakeBucket(
      new Map([
        ['runs/a:model=b/run_spec.json', Buffer.from('{}')],
        ['runs/a:model=b/scenario_state.json', Buffer.alloc(0)],
      ]),
    )
    const site = join(disk, 'site')
    for (const [place, args, then] of [
      [site, ['report', '--site', site], 0],
      [output, ['release', 'create', 'r', '--output-path', output], 0],
      [TMPDIR, ['release', 'verify', 'r', '--output-path', output], 0],
      [TMPDIR, ['release', 'import', join(output, 'releases/r/r.tar.gz')], 0],
      [output, ['release', 'import', `${url}/runs`, '--output-path', output], 2],
    ] as const) {
      const free = fill(0)
      const { code, stderr } = await spawnMedmake(args, { cwd, env: { TMPDIR } })
      free()
      const [before = '', ...told] = stderr.split('cache/disk-full')
      expect([args, code, before, told.length]).toEqual([
        args,
        1,
        expect.stringContaining(`error ${place}`),
        1,
      ])
      expect(before.split('could not write')[0]).not.toContain('.tmp')
      expect((await medmake(args, { cwd, env: { TMPDIR } })).code).toBe(then)
    }
    // As many files as there may be.
    const { files: most, ffree } = statfsSync(disk)
    mount('69m', `remount,nr_inodes=${most - ffree + 2},`)
    const verify = ['release', 'verify', 'r', '--output-path', output]
    expect(await spawnMedmake(verify, { cwd, env: { TMPDIR } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cache/disk-full') as string,
    })
    mount('69m', `remount,nr_inodes=${most},`)
    const file = join(disk, 'ann.jsonl')
    const log = new RatingLog(file)
    const free = fill(0)
    const rated = log.next({
      study: 's',
      rater: 'ann',
      kind: 'handed-in',
      at: '2026-01-01T00:00:00Z',
      content: null,
    })
    expect(() => log.append([rated])).toThrow(expect.objectContaining({ code: 'ENOSPC', path: file }))
    free()
    log.append([rated])
    expect(new RatingLog(file).events).toEqual([rated])
    expect(readdirSync(join(output, 'releases/r')).toSorted()).toEqual(['bundle', 'r.tar.gz'])
  })

  test('a tier that finds no room is left without what was begun', async () => {
    const place = join(disk, 'tier')
    mkdirSync(place)
    const tier = folderTier(place)
    const free = fill(0)
    await expect(tier.create('plan/p.json', '{}')).rejects.toThrow('cache/disk-full')
    free()
    expect(readdirSync(place, { recursive: true })).not.toContainEqual(expect.stringContaining('p.json'))
  })

  test('a folder of limits that was named and finds no room is told as a full disk', async () => {
    const server = await fakeServer({})
    const { files: most, ffree } = statfsSync(disk)
    mount('69m', `remount,nr_inodes=${most - ffree},`)
    const env = { MEDMAKE_LIMITS: join(disk, 'limits') }
    const cwd = createWorkspace(files(server.url))
    const { code, stderr } = await medmake(['run'], { cwd, env })
    mount('69m', `remount,nr_inodes=${most},`)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`error ${disk}/limits: could not write: ENOSPC`),
    ])
    expect((await medmake(['run'], { cwd, env })).code).toBe(0)
  })

  test('a home without room for the key of a vault is told as a full disk, not as a key that is lost', async () => {
    const server = await fakeServer({})
    const closed = shortBenchmark({ name: 'smoking' }, { data: 'note,correct_answer\nnote,yes\n' })
    const cwd = createWorkspace({ ...files(server.url), ...closed })
    const env = { MEDMAKE_VAULT_KEY: '', XDG_CONFIG_HOME: join(disk, 'config') }
    const free = fill(0)
    const { code, stderr } = await medmake(['run'], { cwd, env })
    free()
    expect([code, stderr]).toEqual([1, expect.stringContaining('cache/disk-full')])
    expect((await medmake(['run'], { cwd, env })).code).toBe(0)
  })

  test('a store whose index finds no inode is told as a full disk, not as a folder without rights', async () => {
    const server = await fakeServer({})
    const cwd = createWorkspace(files(server.url))
    const { files: most, ffree } = statfsSync(disk)
    // The folder of claims, three of them, and LMDB's lock file; the store's own folder is there.
    mkdirSync(join(disk, 'bare'))
    mount('69m', `remount,nr_inodes=${most - ffree + 6},`)
    const { code, stderr } = await medmake(['run', '--store', join(disk, 'bare')], { cwd })
    mount('69m', `remount,nr_inodes=${most},`)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/main database file.*cache\/disk-full/)])
  })

  test('a download that finds no room ends at once, and goes on when there is some', async () => {
    const { port, close } = await served('note\na\n')
    const cwd = join(disk, 'workspace')
    writeFiles(cwd, {
      'medmake.yaml': '',
      'benchmarks/one/benchmark.yaml': fetchedYaml('one', port),
    })
    const free = fill(0)
    const { code, stderr } = await medmake(['data', 'fetch', 'one'], { cwd })
    free()
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(`error ${cwd}/cache/data/.*could not write: ENOSPC`),
    ])
    expect(stderr).not.toContain('attempt')
    expect((await medmake(['data', 'fetch', 'one'], { cwd })).code).toBe(0)
    close()
    rmSync(cwd, { recursive: true })
  })
})
