import { spawn } from 'node:child_process'
import fs, {
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sharedFuse } from '../../cache/disk-space.ts'
import { openStore } from '../../cache/open-store.ts'
import {
  formatIdentity,
  identifyProcess,
  type ProcessIdentity,
} from '../../cache/processes/process-identity.ts'
import type { StoreEvent } from '../../cache/store.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

const synced: { readonly folder: string; readonly names: readonly string[] }[] = []
const { fsyncSync } = fs
const replaceSync = (sync: typeof fsyncSync): void => {
  fs.fsyncSync = sync
  syncBuiltinESMExports()
}
replaceSync((file) => {
  const folder = readlinkSync(`/proc/self/fd/${file}`)
  if (statSync(folder).isDirectory()) synced.push({ folder, names: readdirSync(folder) })
  fsyncSync(file)
})
afterAll(() => replaceSync(fsyncSync))

const children: ReturnType<typeof spawn>[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A store that was opened once, and the folder of its claims. */
const closedStore = async (): Promise<{ path: string; claims: string }> => {
  const path = join(temporaryFolder(), 'store')
  const store = await openStore({ path, onEvent: () => {} })
  await store.put('files', 'a', 1)
  await store.close()
  return { path, claims: join(path, 'claims') }
}

/** What a process leaves that works with the store. */
const leave = (claims: string, holder: Partial<ProcessIdentity>, ...links: readonly string[]): string => {
  const text = formatIdentity({ ...identifyProcess(), ...holder })
  for (const link of [`here.${text}`, ...links.map((link) => link.replace('SELF', text))])
    symlinkSync(text, join(claims, link))
  return text
}

describe('of two machines on one store', () => {
  test('the second is refused when the first gives a sign of life', async () => {
    const { path, claims } = await closedStore()
    const text = leave(claims, { boot: 'another', pid: 4711 }, 'open.SELF')
    const opening = openStore({
      path,
      tellAfter: 0,
      // The other machine's heartbeat, whose clock is wrong.
      onEvent: () => lutimesSync(join(claims, `here.${text}`), 1e9, 1e9),
    })
    await expect(opening).rejects.toMatchObject({
      problems: [{ code: 'cache/other-machine', message: expect.stringContaining('4711') as string }],
    })
    expect(readdirSync(claims)).toContain(`open.${text}`)
  })

  test('what one left that crashed long ago is swept', async () => {
    const { path, claims } = await closedStore()
    const text = leave(claims, { boot: 'another', pid: 4711 }, 'open.SELF')
    lutimesSync(join(claims, `here.${text}`), 1e9, 1e9)
    const store = await openStore({ path, onEvent: (event) => expect.fail(JSON.stringify(event)) })
    expect(store.get('files', 'a')).toBe(1)
    expect(readdirSync(claims).filter((name) => name.includes('another'))).toEqual([])
    await store.close()
  })
})

/** Opens a store and does something whenever it tells of a wait. */
const openTold = async (path: string, act: () => void) => {
  const events: StoreEvent[] = []
  const onEvent = (event: StoreEvent): void => {
    events.push(event)
    act()
  }
  return { store: await openStore({ path, tellAfter: 0, onEvent }), events }
}

test('one in another container is not taken for gone as its clock was set: it is waited for', async () => {
  const { path, claims } = await closedStore()
  const text = leave(claims, { namespace: '1', pid: 77 }, 'open.SELF')
  lutimesSync(join(claims, `here.${text}`), 1e9, 1e9)
  const { store, events } = await openTold(path, () => {
    const now = Date.now() / 1000
    lutimesSync(join(claims, `here.${text}`), now, now)
  })
  expect(events).toEqual([{ type: 'store-waiting', holder: 77, stopped: false }])
  expect(readdirSync(claims)).toContain(`open.${text}`)
  expect(store.get('files', 'a')).toBe(1)
  await store.close()
})

test('one in another container that has this one’s number is refused while it lives, and waited for no longer', async () => {
  const { path, claims } = await closedStore()
  const text = leave(claims, { namespace: '1' }, 'open.SELF')
  const opening = openStore({
    path,
    tellAfter: 0,
    onEvent: () => lutimesSync(join(claims, `here.${text}`), Date.now() / 1000, Date.now() / 1000),
  })
  await expect(opening).rejects.toMatchObject({
    problems: [{ code: 'cache/same-number', message: expect.stringContaining(`${process.pid}`) as string }],
  })
  // Each look is a second after the one before.
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
  onTestFinished(() => clock.mockRestore())
  const store = await openStore({ path, onEvent: () => {} })
  expect(store.get('files', 'a')).toBe(1)
  await store.close()
})

test('a process whose place another one took over writes nothing more', async () => {
  const { path, claims } = await closedStore()
  const store = await openStore({ path, onEvent: () => {} })
  await store.put('files', 'b', 2)
  const own = readdirSync(claims).find((name) => name.startsWith('here.')) ?? ''
  unlinkSync(join(claims, own))
  await expect(store.put('files', 'c', 3)).rejects.toThrow('cache/taken-over')
  await store.close()
  const again = await openStore({ path, readOnly: true, onEvent: () => {} })
  expect([again.get('files', 'b'), again.get('files', 'c')]).toEqual([2, undefined])
  await again.close()
})

test('a stopped process that opens the store is named, and waited for', async () => {
  const { path, claims } = await closedStore()
  const child = spawn('sleep', ['600'])
  children.push(child)
  const pid = child.pid ?? 0
  child.kill('SIGSTOP')
  const statOf = (): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  await expect.poll(() => statOf()[0]).toBe('T')
  leave(claims, { pid, start: statOf()[19] ?? '' }, 'opening')
  const { store, events } = await openTold(path, () => void child.kill('SIGKILL'))
  expect(events).toEqual([{ type: 'store-waiting', holder: pid, stopped: true }])
  expect(store.get('files', 'a')).toBe(1)
  await store.close()
})

test('file systems in user space count as shared unless they are known not to be', () => {
  const mountinfo = [
    '21 1 254:0 / / rw,relatime - ext4 /dev/root rw',
    '30 21 0:40 / /mnt/far\\040away rw - fuse.sshfs me@host: rw',
    '31 21 0:41 / /mnt/box rw shared:7 - fuse.fuse-overlayfs overlay rw',
    '32 31 0:42 / /mnt/box/host rw - virtiofs host rw',
  ].join('\n')
  expect(sharedFuse('/mnt/far away/store', mountinfo)).toBe('fuse.sshfs')
  expect(sharedFuse('/mnt/box/store', mountinfo)).toBeUndefined()
  expect(sharedFuse('/mnt/box/host/store', mountinfo)).toBe('virtiofs')
  expect(sharedFuse('/mnt/boxes', '')).toBe('fuse')
})

test('the folder of a store is brought to disk after its entries are made, its parent, too', async () => {
  const parent = join(temporaryFolder(), 'cache')
  mkdirSync(parent)
  const path = join(parent, 'store')
  const store = await openStore({ path, onEvent: () => {} })
  await store.put('files', 'a', 1)
  await store.close()
  const namesOf = (folder: string): readonly string[] =>
    synced.filter((each) => each.folder === folder).flatMap(({ names }) => names)
  expect(namesOf(parent)).toContain('store')
  expect(namesOf(path)).toEqual(expect.arrayContaining(['index.lmdb', 'values']))
  expect(namesOf(join(path, 'values'))).toContain('00000001.log')
})
