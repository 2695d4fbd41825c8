import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { openStore } from '../../../cache/open-store.ts'
import { storeOver, TABLES, type Store, type StoreEvent } from '../../../cache/store.ts'
import { findVaultKey, keyOrigin, type KeyOrigin, vaultKey } from '../../../cache/vault/vault-key.ts'
import { guardedStore, openVault, sealedStore } from '../../../cache/vault/open-vault.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const KEY = 'a1'.repeat(32)
const fromKey = (text = KEY): KeyOrigin => ({ kind: 'environment', name: 'MEDMAKE_VAULT_KEY', text })
const open = (folder: string, origin: KeyOrigin = fromKey(), events: StoreEvent[] = []) =>
  openVault({ folder, origin, readOnly: false, onEvent: (event) => events.push(event) })

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))

test('gives back what was put, and nothing of it is readable on disk', async () => {
  const folder = join(temporaryFolder(), 'v')
  const vault = await open(folder)
  const id = digestOf('the prompt of patient 4711')
  await vault.put('prompts', id, { text: 'patient 4711 smokes' })
  await vault.put('instances', 'list', [['id-of-4711', 'test', 'd']])
  expect(vault.get('prompts', id)).toEqual({ text: 'patient 4711 smokes' })
  expect([...vault.entries('prompts')].map((entry) => entry.id)).toEqual([id])
  await vault.close()
  const files = filesIn(folder).filter((file) => lstatSync(file).isFile())
  for (const secret of ['4711', 'smokes', id, Buffer.from(id, 'hex')])
    expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([])
  const again = await open(folder)
  expect(again.get('instances', 'list')).toEqual([['id-of-4711', 'test', 'd']])
  await again.remove('prompts', id)
  expect(again.has('prompts', id)).toBe(false)
  await again.close()
})

test.skipIf(process.platform === 'win32')('all its files and folders are for the owner only', async () => {
  const folder = join(temporaryFolder(), 'v')
  const vault = await open(folder)
  await vault.put('prompts', 'a', 'b')
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n')
  const modes = (): readonly string[] =>
    [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))].filter(
      (path) => !lstatSync(path).isSymbolicLink() && (lstatSync(path).mode & 0o077) !== 0,
    )
  expect(modes()).toEqual([])
  await vault.close()
  expect(modes()).toEqual([])
})

test.skipIf(process.platform === 'win32')('a folder that lay open becomes its owner’s', async () => {
  const folder = join(temporaryFolder(), 'v')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  await (await open(folder)).close()
  expect(lstatSync(folder).mode & 0o777).toBe(0o700)
})

test('another key is refused and destroys nothing', async () => {
  const folder = join(temporaryFolder(), 'v')
  const vault = await open(folder)
  await vault.put('prompts', 'a', 'b')
  await vault.close()
  const problem = await problemOf(() => open(folder, fromKey('b2'.repeat(32))))
  expect(problem).toMatchObject({ code: 'cache/wrong-vault-key', where: { file: folder } })
  const again = await open(folder)
  expect(again.get('prompts', 'a')).toBe('b')
  await again.close()
})

test.each(['empty', 'started at the same time'])('the key of a vault that is %s counts', async (when) => {
  const folder = join(temporaryFolder(), 'v')
  const others: Promise<Store>[] = []
  if (when === 'empty') await (await open(folder)).close()
  const origin: KeyOrigin = {
    ...fromKey(),
    get text() {
      if (when !== 'empty') others.push(open(folder))
      return 'b2'.repeat(32)
    },
  }
  expect(await problemOf(() => open(folder, origin))).toMatchObject({ code: 'cache/wrong-vault-key' })
  for (const other of others) await (await other).close()
  await (await open(folder)).close()
})

test.each(['', 'short', 'z'.repeat(64), 'a1'.repeat(31)])('%j is no key', async (text) => {
  const problem = await problemOf(() => open(join(temporaryFolder(), 'v'), fromKey(text)))
  expect(problem?.code).toBe('cache/bad-vault-key')
})

test('base64 and hexadecimal write the same key', async () => {
  const folder = join(temporaryFolder(), 'v')
  const vault = await open(folder)
  await vault.put('prompts', 'a', 'b')
  await vault.close()
  const again = await open(folder, fromKey(Buffer.from(KEY, 'hex').toString('base64')))
  expect(again.get('prompts', 'a')).toBe('b')
  await again.close()
})

test('a value moved to another name is a miss and is reported', async () => {
  const folder = join(temporaryFolder(), 'v')
  const vault = await open(folder)
  await vault.put('prompts', 'a', 'first')
  await vault.put('prompts', 'b', 'second')
  await vault.close()
  const raw = await openStore({ path: folder, onEvent: () => undefined })
  const [one, two] = [...raw.entries('prompts')]
  await raw.put('prompts', one?.id ?? '', raw.get('prompts', two?.id ?? '') ?? '')
  await raw.close()
  const events: StoreEvent[] = []
  const again = await open(folder, fromKey(), events)
  expect(
    [again.get('prompts', 'a'), again.get('prompts', 'b')].filter((value) => value !== undefined),
  ).toHaveLength(1)
  expect(events).toEqual([{ type: 'store-corrupt-record', table: 'prompts', id: one?.id }])
  await again.close()
})

test("the user's own key is made once, outside of the workspace, for the owner only", async () => {
  const config = temporaryFolder()
  const origin = keyOrigin({ XDG_CONFIG_HOME: config }, undefined)
  const file = join(config, 'medmake/vault.key')
  const folders = [join(temporaryFolder(), 'v'), join(temporaryFolder(), 'v')]
  const vaults = await Promise.all(folders.map((folder) => open(folder, origin)))
  for (const vault of vaults) await vault.close()
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect(lstatSync(file).mode & 0o777).toBe(0o600)
})

test.skipIf(!existsSync('/proc/self/fd'))('a key is found in a folder that nothing can be put into', () => {
  const file = join(temporaryFolder(), 'key')
  writeFileSync(file, KEY, { mode: 0o600 })
  const handle = openSync(file, 'r')
  const origin: KeyOrigin = { kind: 'file', path: `/proc/self/fd/${handle}`, made: true }
  const { key } = findVaultKey(origin, { folder: 'v', exists: false, mayMake: true })
  closeSync(handle)
  expect(key.mark).toBe(vaultKey(Buffer.from(KEY, 'hex')).mark)
})

test('no new key is made for a vault whose key is lost', async () => {
  const folder = join(temporaryFolder(), 'v')
  await (await open(folder)).close()
  const config = temporaryFolder()
  const problem = await problemOf(() => open(folder, keyOrigin({ XDG_CONFIG_HOME: config }, undefined)))
  expect(problem).toMatchObject({
    code: 'cache/no-vault-key',
    remedy: expect.stringContaining('it was made with'),
  })
  expect(existsSync(join(config, 'medmake'))).toBe(false)
})

test('no key is made for a vault whose values others read: theirs is needed', async () => {
  const [folder, config] = [join(temporaryFolder(), 'v'), temporaryFolder()]
  const origin = keyOrigin({ XDG_CONFIG_HOME: config }, undefined)
  const through = async (inner: Store): Promise<Store> => inner
  const problem = await problemOf(() =>
    openVault({ folder, origin, readOnly: false, onEvent: () => undefined, through }),
  )
  expect(problem).toMatchObject({ code: 'cache/no-vault-key' })
  expect([existsSync(join(config, 'medmake')), existsSync(folder)]).toEqual([false, false])
})

test('a variable for the key goes before files, and an empty one is none', () => {
  const file = join('/here', 'medmake', 'vault.key')
  expect(keyOrigin({ MEDMAKE_VAULT_KEY: '', XDG_CONFIG_HOME: '/here' }, undefined)).toEqual({
    kind: 'file',
    path: file,
    made: true,
  })
  expect(keyOrigin({ MEDMAKE_VAULT_KEY: KEY, XDG_CONFIG_HOME: '/here' }, file)).toEqual(fromKey())
})

test('a key file that the workspace names must exist', async () => {
  const folder = join(temporaryFolder(), 'v')
  const problem = await problemOf(() => open(folder, keyOrigin({}, join(folder, 'nowhere'))))
  expect(problem).toMatchObject({
    code: 'cache/no-vault-key',
    remedy: expect.stringContaining('randomBytes(32)'),
  })
  expect(existsSync(folder)).toBe(false)
})

test.skipIf(process.platform === 'win32')('a key file that others may read is refused', async () => {
  const file = join(temporaryFolder(), 'key')
  writeFileSync(file, KEY)
  chmodSync(file, 0o640)
  const problem = await problemOf(() => open(join(temporaryFolder(), 'v'), keyOrigin({}, file)))
  expect(problem).toMatchObject({ code: 'cache/exposed-vault-key', remedy: `Run \`chmod 600 ${file}\`.` })
})

test('where there is none, a reader sees an empty one and makes nothing', async () => {
  const folder = join(temporaryFolder(), 'v')
  const vault = await openVault({ folder, origin: fromKey(), readOnly: true, onEvent: () => undefined })
  expect(vault.get('prompts', 'a')).toBeUndefined()
  await vault.close()
  expect(existsSync(folder)).toBe(false)
})

describe('a vault whose header is damaged', () => {
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ['empty', (file) => writeFileSync(file, '')],
    ['garbage', (file) => writeFileSync(file, 'hello')],
    ['null', (file) => writeFileSync(file, 'null')],
    ['of no key', (file) => writeFileSync(file, '{"format":1,"key":""}')],
    ['gone', (file) => rmSync(file)],
    [
      'a digit off',
      (file) =>
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(
            /"key":"./,
            (text) => `"key":"${text.endsWith('0') ? '1' : '0'}`,
          ),
        ),
    ],
  ]
  test.each(damages)('(%s) gets another one from its key, and from no other', async (_, damage) => {
    const folder = join(temporaryFolder(), 'vault')
    const [own, strange] = [fromKey(), fromKey('cd'.repeat(32))]
    const vault = await open(folder, own)
    await vault.put('prompts', 'a', 'text')
    await vault.close()
    const file = join(folder, 'vault.json')
    const before = readFileSync(file, 'utf8')
    damage(file)
    await expect(open(folder, strange)).rejects.toThrow('cache/wrong-vault-key')
    const again = await open(folder, own)
    expect(again.get('prompts', 'a')).toBe('text')
    await again.close()
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

test('who only reads mends no header', async () => {
  const folder = join(temporaryFolder(), 'vault')
  const vault = await open(folder)
  await vault.put('prompts', 'a', 'text')
  await vault.close()
  const file = join(folder, 'vault.json')
  writeFileSync(file, 'hello')
  const reader = await openVault({ folder, origin: fromKey(), readOnly: true, onEvent: () => undefined })
  expect(reader.get('prompts', 'a')).toBe('text')
  await reader.close()
  expect(readFileSync(file, 'utf8')).toBe('hello')
})

test('an empty vault whose header tells no key takes the one that it is opened with', async () => {
  const folder = join(temporaryFolder(), 'vault')
  await (await open(folder)).close()
  const file = join(folder, 'vault.json')
  writeFileSync(file, '{"format":1,"key":""}')
  const again = await open(folder, fromKey('cd'.repeat(32)))
  await again.close()
  expect(readFileSync(file, 'utf8')).toContain(vaultKey(Buffer.from('cd'.repeat(32), 'hex')).mark)
})

test('no nonce is used twice, nor by two keys of one process', () => {
  const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const seen = new Set<string>()
  for (const secret of secrets) {
    const key = vaultKey(secret)
    for (let n = 0; n < 3000; n++) seen.add(key.seal('text', 'place').subarray(0, 12).toString('hex'))
  }
  expect(seen.size).toBe(9000)
})

test('what is too short to be sealed, altered, or sealed for another place, is no value', () => {
  const key = vaultKey(Buffer.alloc(32, 1))
  for (const text of ['', 'text']) {
    const sealed = key.seal(text, 'place')
    expect(key.open(sealed, 'place')).toBe(text)
    expect(key.open(sealed, 'other')).toBeUndefined()
    for (let size = 0; size < sealed.length; size += 1)
      expect(key.open(sealed.subarray(0, size), 'place')).toBeUndefined()
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed)
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
      expect(key.open(altered, 'place')).toBeUndefined()
    }
  }
})

test('a vault lists by ids, not by the names that it keeps them under', async () => {
  const store = sealedStore(memoryStore(), vaultKey(Buffer.alloc(32, 1)), () => expect.fail('damage'))
  for (const id of ['d', 'a', 'c', 'b', 'e']) await store.put('files', id, 1)
  expect([...store.entries('files')].map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a batch under way is opened once for all times that it is listed, and listed no more once it is gone', async () => {
  const inner = memoryStore()
  const opened: string[] = []
  const counting = storeOver(inner, { get: (table, id) => (opened.push(id), inner.get(table, id)) })
  const store = sealedStore(counting, vaultKey(Buffer.alloc(32, 1)), () => expect.fail('damage'))
  await store.put('batches', 'b', { lines: [] })
  for (const _ of [1, 2, 3]) expect([...store.entries('batches')].map(({ id }) => id)).toEqual(['b'])
  expect(opened).toHaveLength(1)
  await store.remove('batches', 'b')
  expect([...store.entries('batches')]).toEqual([])
})

const listed = (store: Store): readonly string[] =>
  TABLES.flatMap((table) => [...store.entries(table)].map(({ id }) => `${table} ${id}`))

test('of what a guarded target stores only figures and digests lie in the open, and each is found where it lies', async () => {
  const [open, vault] = [memoryStore(), memoryStore()]
  const guarded = guardedStore(open, vault)
  const figures = ['records d', 'traces target:d', 'files judged:d', 'files calibration:d', 'failures d']
  const sealed = [
    ...['instances', 'prompts', 'completions', 'annotations', 'metrics', 'ledger', 'batches'].map(
      (table) => `${table} d`,
    ),
    'records d:0',
    'traces last:run',
    ...['ids', 'sample', 'answers', 'imported', 'imported-list'].map((kind) => `files ${kind}:d`),
  ]
  for (const place of [...figures, ...sealed]) {
    const [table, id] = place.split(' ') as [(typeof TABLES)[number], string]
    await guarded.put(table, id, place)
    expect([guarded.has(table, id), guarded.get(table, id)]).toEqual([true, place])
  }
  expect(new Set(listed(open))).toEqual(new Set(figures))
  expect(new Set(listed(vault))).toEqual(new Set(sealed))
  expect(new Set(listed(guarded))).toEqual(new Set([...figures, ...sealed]))
  await guarded.remove('records', 'd:0')
  expect([guarded.has('records', 'd:0'), guarded.has('records', 'd')]).toEqual([false, true])
})

test('a guarded target needs room, and claims what it makes, where its texts are', async () => {
  const [open, vault] = [memoryStore(), memoryStore()]
  const guarded = guardedStore(open, vault)
  await guarded.claim(digestOf('call'))
  expect(await vault.claim(digestOf('call'))).toBeUndefined()
  expect(await open.claim(digestOf('call'))).toBeDefined()
  await vault.close()
  expect(() => guarded.requireRoom()).toThrow()
  expect(() => open.requireRoom()).not.toThrow()
  const [first, second] = [memoryStore(), memoryStore()]
  await guardedStore(first, second).close()
  for (const store of [first, second]) expect(() => store.requireRoom()).toThrow()
})

test('the name by which a vault claims work does not tell what is worked on', async () => {
  const claimed: string[] = []
  const inner = storeOver(memoryStore(), {
    claim: async (digest) => {
      claimed.push(digest)
      return undefined
    },
  })
  const store = sealedStore(inner, vaultKey(Buffer.alloc(32, 1)), () => expect.fail('damage'))
  await store.claim(digestOf('call'))
  expect(claimed).toHaveLength(1)
  expect(claimed).not.toContain(digestOf('call'))
})

test('what was removed from a vault is gone at once, though it was stored a moment ago', async () => {
  const store = sealedStore(memoryStore(), vaultKey(Buffer.alloc(32, 1)), () => expect.fail('damage'))
  await store.put('completions', 'a', 1)
  await store.remove('completions', 'a')
  expect([store.get('completions', 'a'), store.has('completions', 'a')]).toEqual([undefined, false])
})

// Needs the right to be somebody else.
test.skipIf(process.getuid?.() !== 0)(
  'a vault with files that are another user’s is told by its folder, not as a fault of ours',
  async () => {
    const folder = join(temporaryFolder(), 'v')
    await (await open(folder)).close()
    chmodSync(join(folder, '../..'), 0o711)
    for (const path of ['', '..', 'claims', 'values']) chmodSync(join(folder, path), 0o777)
    for (const file of filesIn(folder)) chmodSync(file, 0o666)
    process.seteuid?.(65_534)
    try {
      expect(await problemOf(open(folder))).toMatchObject({ code: 'cache/not-accessible' })
    } finally {
      process.seteuid?.(0)
    }
    expect(readdirSync(join(folder, 'claims'))).toEqual([])
  },
)
