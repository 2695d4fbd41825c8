import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { digestOf } from '../../../../cache/values/digest.ts'
import { archiveFault, writeArchive } from '../../../../tools/release/bundle/archive.ts'
import { listPaths, digestFiles } from '../../../../tools/release/bundle/list-files.ts'
import { withBundle, withUnpacked } from '../../../../tools/release/bundle/open-bundle.ts'
import { unpackArchive } from '../../../../tools/release/bundle/untar.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const BLOCK = 512

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const textsOf = async (folder: string): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await listPaths(folder)).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )

interface Entry {
  readonly name: string
  readonly type?: string
  readonly text?: string
  readonly prefix?: string
  /** Bytes that it says it has. */
  readonly size?: number | string
  readonly magic?: string
}

/** An entry of a tar archive as any program may write it. */
const entry = (given: Entry): Buffer => {
  const { name, type = '0', text = '', prefix = '', magic = 'ustar\x0000' } = given
  const { size = Buffer.byteLength(text) } = given
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  block.write(`${size.toString(8).padStart(11, typeof size === 'string' ? ' ' : '0')}\0`, 124)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write(magic, 257)
  block.write(prefix, 345)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([block, Buffer.from(text), Buffer.alloc(-text.length & (BLOCK - 1))])
}

const archiveOf = (...entries: readonly Buffer[]): string => {
  const file = join(temporaryFolder(), 'x.tar.gz')
  writeFileSync(file, gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)])))
  return file
}

/** A stream of 67 million zeros. */
const ZEROS = gzipSync(Buffer.alloc(2 ** 26), { level: 1 })

const unpacked = async (...entries: readonly Buffer[]): Promise<Readonly<Record<string, string>>> => {
  const folder = temporaryFolder()
  await unpackArchive(archiveOf(...entries), folder)
  return textsOf(folder)
}

describe('An archive of a bundle', () => {
  /** Names and sizes at the ends of what one block or a plain header holds. */
  const FILES = {
    ['n'.repeat(98)]: 'name of 100 bytes',
    ['n'.repeat(99)]: 'name of 101 bytes',
    [`records/${'ä'.repeat(60)}`]: 'more bytes than letters',
    [`records/${'ä'.repeat(45)}`]: 'name of 100 bytes',
    [`deep/${'d'.repeat(80)}/${'e'.repeat(80)}`]: 'long',
    // With it a record's length takes a figure more, and with that one more again.
    [`${`${'p'.repeat(240)}/`.repeat(4)}${'p'.repeat(24)}`]: 'record of 1001 bytes',
    'sizes/0': '',
    'sizes/511': 'x'.repeat(511),
    'sizes/512': 'y'.repeat(512),
    'sizes/513': 'z'.repeat(513),
    'sizes/large': 'large '.repeat(50_000),
  }

  test('unpacks to the same names and bytes, and is of the same bytes when packed again.', async () => {
    const bundle = folderOf(FILES)
    const files = await digestFiles(bundle)
    const packed = ['one', 'two'].map((name) => join(temporaryFolder(), name))
    for (const target of packed) await writeArchive(bundle, 'r', files, target)
    const [one = '', two = ''] = packed
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true)
    expect(readdirSync(dirname(one))).toEqual(['one'])
    const folder = temporaryFolder()
    await unpackArchive(one, folder)
    expect(await textsOf(join(folder, 'r'))).toEqual(FILES)
    // Archives are compared byte by byte with those that are packed again, by any version.
    expect(digestOf(gunzipSync(readFileSync(one)))).toBe(
      'c7aaa9ff4837a585a250546a16bb6f9785f0bbceaeaa7c2587ae39436c676186',
    )
  })

  test('tells no platform, no name and no time in its head, and is refused with any other.', async () => {
    const bundle = folderOf({ a: 'text' })
    const files = await digestFiles(bundle)
    const target = join(temporaryFolder(), 'r.tar.gz')
    await writeArchive(bundle, 'r', files, target)
    const bytes = readFileSync(target)
    expect([...bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])
    expect(await archiveFault(target, bundle, 'r', files)).toBeUndefined()
    bytes[9] = 3
    writeFileSync(target, bytes)
    expect(await archiveFault(target, bundle, 'r', files)).toBe(
      'its first bytes are not those of a release archive',
    )
  })

  test('is another where a byte, a name, a file or the folder differs, and torn where it ends early.', async () => {
    const bundle = folderOf({ a: 'text', b: 'more' })
    const files = await digestFiles(bundle)
    const target = join(temporaryFolder(), 'r.tar.gz')
    await writeArchive(bundle, 'r', files, target)
    const faultWith = (name: string, own: typeof files, from = bundle) =>
      archiveFault(target, from, name, own)
    expect(await faultWith('r', files)).toBeUndefined()
    const other = 'it holds other bytes than the bundle'
    expect(await faultWith('q', files)).toBe(other)
    expect(await faultWith('r', files.slice(1))).toBe(other)
    expect(await faultWith('r', files.toReversed())).toBe(other)
    expect(await faultWith('r', files, folderOf({ a: 'texT', b: 'more' }))).toBe(other)
    writeFileSync(target, readFileSync(target).subarray(0, -12))
    expect(await faultWith('r', files)).toContain("it can't be unpacked")
  })

  test('is not made of a file that changed its length meanwhile.', async () => {
    const target = join(temporaryFolder(), 'r.tar.gz')
    for (const size of [3, 5])
      await expect(writeArchive(folderOf({ a: 'text' }), 'r', [{ path: 'a', size }], target)).rejects.toThrow(
        `r/a gave 4 of ${size} bytes`,
      )
    expect(readdirSync(dirname(target))).toEqual([])
  })
})

describe('Archives of other programs', () => {
  const record = (text: string): string => `${text.length + 3} ${text}\n`

  test.each<readonly [string, readonly Buffer[], string]>([
    ['a prefix', [entry({ name: 'b', prefix: 'r/deep', text: 't' })], 'r/deep/b'],
    [
      'times where others have a prefix',
      [entry({ name: 'r/b', prefix: '1473', text: 't', magic: 'ustar  ' })],
      'r/b',
    ],
    ['a header of the oldest form', [entry({ name: 'r/b', prefix: 'x', text: 't', magic: '' })], 'r/b'],
    ['no type', [entry({ name: 'r/b', type: '\0', text: 't' })], 'r/b'],
    [
      'a name of GNU’s',
      [entry({ name: 'x', type: 'L', text: 'r/b\0' }), entry({ name: 'no', text: 't' })],
      'r/b',
    ],
    [
      'as much in a name as is taken',
      [entry({ name: 'x', type: 'L', text: 'r/b\0'.padEnd(65_536, 'x') }), entry({ name: 'no', text: 't' })],
      'r/b',
    ],
    [
      'a name of pax’s among other records',
      [
        entry({
          name: 'x',
          type: 'x',
          text: `${record('mtime=1')}${record('path=r/b=c')}${record('uid=0')}`,
        }),
        entry({ name: 'no', text: 't' }),
      ],
      'r/b=c',
    ],
    [
      'records of pax’s that tell no name',
      [entry({ name: 'x', type: 'x', text: record('mtime=1') }), entry({ name: 'r/b', text: 't' })],
      'r/b',
    ],
    [
      'a name of pax’s after what is no record, and without an end of its line',
      [
        entry({ name: 'x', type: 'x', text: `nonsense\n${record('path=r/b').trimEnd()}` }),
        entry({ name: 'no', text: 't' }),
      ],
      'r/b',
    ],
    [
      'a line of pax’s that is no record',
      [entry({ name: 'x', type: 'x', text: 'nonsense' }), entry({ name: 'r/b', text: 't' })],
      'r/b',
    ],
    [
      'a name of GNU’s before records of pax’s',
      [
        entry({ name: 'x', type: 'L', text: 'r/b' }),
        entry({ name: 'x', type: 'x', text: record('mtime=1') }),
        entry({ name: 'no', text: 't' }),
      ],
      'r/b',
    ],
    [
      'records for the whole archive',
      [entry({ name: 'x', type: 'g', text: record('path=no') }), entry({ name: 'r/b', text: 't' })],
      'r/b',
    ],
    ['a dot before each name', [entry({ name: './r/b', text: 't' })], 'r/b'],
  ])('are read with %s.', async (_, entries, path) => {
    expect(await unpacked(...entries)).toEqual({ [path]: 't' })
  })

  test('give a name to the one entry after it alone.', async () => {
    const named = entry({ name: 'x', type: 'L', text: 'r/long' })
    expect(
      await unpacked(named, entry({ name: 'no', text: '1' }), entry({ name: 'r/own', text: '2' })),
    ).toEqual({ 'r/long': '1', 'r/own': '2' })
  })

  test('may name folders, and files at the ends of a block.', async () => {
    const texts = Object.fromEntries(
      [0, 1, 511, 512, 513, 1024].map((size) => [`r/${size}`, 'x'.repeat(size)]),
    )
    const entries = Object.entries(texts).map(([name, text]) => entry({ name, text }))
    expect(await unpacked(entry({ name: 'r/empty/', type: '5' }), ...entries)).toEqual(texts)
  })

  test('are read up to a block of zeros, whatever follows.', async () => {
    expect(
      await unpacked(entry({ name: 'a', text: 't' }), Buffer.alloc(BLOCK), entry({ name: 'b' })),
    ).toEqual({
      a: 't',
    })
  })

  test.each<readonly [string, Buffer, string]>([
    ['an empty part', entry({ name: 'r//b' }), 'is no path of a release'],
    ['a path from the root', entry({ name: '/etc/up' }), 'is no path of a release'],
    ['a path upwards', entry({ name: 'r/../../up' }), 'is no path of a release'],
    ['a backslash', entry({ name: 'r\\b' }), 'is no path of a release'],
    ['two dots at its end', entry({ name: 'r/..' }), 'is no path of a release'],
    ['a folder upwards', entry({ name: '../up/', type: '5' }), 'is no path of a release'],
    ['a symbolic link', entry({ name: 'r/link', type: '2' }), 'r/link is a link'],
    ['a hard link', entry({ name: 'r/link', type: '1' }), 'r/link is a link'],
    ['a FIFO', entry({ name: 'r/pipe', type: '6' }), 'r/pipe is a FIFO'],
    ['a device', entry({ name: 'r/null', type: '3' }), 'r/null is a device'],
    ['a wrong checksum', Buffer.alloc(BLOCK, 1), 'a header has another checksum'],
    ['a name without end', entry({ name: 'x', type: 'L', size: 1e9 }), 'a name takes 1000000000 bytes'],
    ['a file cut short', entry({ name: 'r/a', size: 4096 }), 'it ends in the middle'],
    ['a file twice', Buffer.concat([entry({ name: 'r/a' }), entry({ name: 'r/a' })]), "can't be a file here"],
    [
      'a file below a file',
      Buffer.concat([entry({ name: 'r/a' }), entry({ name: 'r/a/b' })]),
      "can't be a file here",
    ],
    ['a block device', entry({ name: 'r/b', type: '4' }), 'r/b is a device'],
    ['a type of another kind', entry({ name: 'r/b', type: 'Q' }), 'r/b is neither a file nor a folder'],
    [
      'records without end',
      entry({ name: 'x', type: 'g', text: 'x'.repeat(65_537) }),
      'a name takes 65537 bytes',
    ],
    ['a longer name than is taken', entry({ name: 'x', type: 'L', text: 'x'.repeat(65_537) }), '65537 bytes'],
    ['a name that no disk takes', entry({ name: 'x', type: 'L', text: 'x'.repeat(300) }), 'ENAMETOOLONG'],
  ])('are refused for %s.', async (_, odd, reason) => {
    const problem = await problemOf(() =>
      unpackArchive(archiveOf(odd, entry({ name: 'n' })), temporaryFolder()),
    )
    expect(problem).toMatchObject({ code: 'release/bad-archive' })
    expect(problem?.message).toContain(reason)
  })

  test('are refused when they are no archive, or unpack without end.', async () => {
    const plain = join(folderOf({ 'v.tar.gz': 'no archive' }), 'v.tar.gz')
    expect(await problemOf(() => unpackArchive(plain, temporaryFolder()))).toMatchObject({
      code: 'release/bad-archive',
    })
    // Streams one after the other are one, and zeros pack 230 to 1.
    const zeros = Array.from({ length: 4 }, () => ZEROS)
    const bomb = join(temporaryFolder(), 'bomb.tar.gz')
    writeFileSync(bomb, Buffer.concat([gzipSync(entry({ name: 'r/zeros', size: 257e6 })), ...zeros]))
    const problem = await problemOf(() => unpackArchive(bomb, temporaryFolder()))
    expect(problem?.message).toContain('it unpacks to more than 256000000 bytes')
    // As much may be in one that is large itself.
    const whole = gzipSync(Buffer.concat([entry({ name: 'a', text: 't' }), Buffer.alloc(2 * BLOCK)]))
    const noise = gzipSync(Buffer.alloc(400_000, 'noise'), { level: 0 })
    const folder = temporaryFolder()
    writeFileSync(bomb, Buffer.concat([whole, ...zeros, noise]))
    await unpackArchive(bomb, folder)
    expect(await textsOf(folder)).toEqual({ a: 't' })
  })

  test('are not blamed for a folder that can’t be made.', async () => {
    const told = unpackArchive(archiveOf(entry({ name: 'a' })), '/proc/none')
    await expect(told.catch(String)).resolves.toMatch(/^Error: E[A-Z]+: /)
  })

  test.skipIf(!existsSync('/proc/self/fd'))('leave no file open, whole or refused.', async () => {
    const folder = temporaryFolder()
    const isOpen = (): boolean =>
      readdirSync('/proc/self/fd').some((name) => {
        const link = `/proc/self/fd/${name}`
        return existsSync(link) && readlinkSync(link).startsWith(folder)
      })
    const large = Buffer.alloc(2 ** 20)
    for (const [name, first] of [
      ['whole', entry({ name: 'r/a' })],
      ['refused', entry({ name: 'r/a', type: '2' })],
    ] as const) {
      const file = join(folder, name)
      writeFileSync(
        file,
        gzipSync(Buffer.concat([first, entry({ name: 'b', size: 2 ** 20 }), large]), { level: 0 }),
      )
      await problemOf(() => unpackArchive(file, join(folder, `${name} here`)))
      await vi.waitUntil(() => !isOpen())
    }
  })

  test('are refused where a byte of them, or their end, is not what was packed.', async () => {
    const packed = gzipSync(Buffer.concat([entry({ name: 'r/a', text: 'score 0.7' }), Buffer.alloc(1024)]), {
      level: 0,
    })
    const changed = Buffer.from(packed)
    changed.write('9', packed.indexOf('0.7') + 2)
    for (const bytes of [changed, packed.subarray(0, -4)]) {
      const file = join(temporaryFolder(), 'x.tar.gz')
      writeFileSync(file, bytes)
      const problem = await problemOf(() => unpackArchive(file, temporaryFolder()))
      expect(problem).toMatchObject({ code: 'release/bad-archive' })
    }
  })

  test('are refused for a size that is no number, and for a name at which two things stand.', async () => {
    for (const size of ['x', '-12'])
      expect((await problemOf(() => unpacked(entry({ name: 'r/b', size }))))?.message).toMatch(
        /x\.tar\.gz is no archive of a release: a header tells no size$/,
      )
    const twice = [entry({ name: 'r/b', text: '1' }), entry({ name: 'r/b', type: '5' })]
    expect((await problemOf(() => unpacked(...twice)))?.message).toContain("can't be a file here (EEXIST)")
  })
})

describe('A release is lent', () => {
  test('as the one folder that its archive holds, which goes afterwards.', async () => {
    let lent = ''
    const packed = archiveOf(entry({ name: 'r/release.json', text: '{}' }))
    const found = await withUnpacked(packed, async (folder) => {
      lent = folder
      return textsOf(folder)
    })
    expect(found).toEqual({ 'release.json': '{}' })
    expect([existsSync(lent), existsSync(dirname(lent))]).toEqual([false, false])
    await expect(
      withUnpacked(packed, async (folder) => {
        lent = folder
        throw new Error('own')
      }),
    ).rejects.toThrow('own')
    expect(existsSync(dirname(lent))).toBe(false)
  })

  test.each([
    ['two folders', [entry({ name: 'r/a' }), entry({ name: 'q/a' })], 'it holds 2 things'],
    ['its files at the top', [entry({ name: 'release.json' })], 'it holds 1 things'],
    ['nothing', [], 'it holds 1 things'],
  ])('unless its archive holds %s.', async (_, entries, message) => {
    const problem = await problemOf(() => withUnpacked(archiveOf(...entries), async () => undefined))
    expect(problem?.message).toContain(message)
  })

  test('with its files in the order of their names’ code points.', async () => {
    const names = ['Z', 'a-b', 'a/b', 'aB', 'ab', 'ä', '\u{FF21}', '\u{1D400}']
    expect(await listPaths(folderOf(Object.fromEntries(names.map((name) => [name, '']))))).toEqual(names)
  })

  test('as the folder that was given, whatever is in it, but as a bundle of plain files alone.', async () => {
    const folder = folderOf({ 'release.json': '' })
    expect(await withUnpacked(folder, async (given) => given)).toBe(folder)
    expect(await withBundle(folder, async (given) => given)).toBe(folder)
    symlinkSync('/etc/hostname', join(folder, 'link'))
    expect(await problemOf(() => withBundle(folder, async () => undefined))).toMatchObject({
      code: 'release/odd-file',
      message: 'link is a link',
    })
    expect(await withBundle(join(folder, 'none'), async (given) => given)).toBe(join(folder, 'none'))
  })
})
