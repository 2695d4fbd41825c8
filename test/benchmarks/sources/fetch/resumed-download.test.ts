import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { SourceEvent } from '../../../../benchmarks/context/context.ts'
import { download } from '../../../../benchmarks/sources/fetch/download.ts'
import { formatIdentity, identifyProcess } from '../../../../cache/processes/process-identity.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { options, serve, sha256 } from './file-server.ts'

test('A broken download goes on where it stopped when the server still has the same version.', async () => {
  const whole = '0123456789'.repeat(300_000)
  const starts: number[] = []
  let breakConnection = (): void => undefined
  const url = await serve((request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    starts.push(start)
    if (start === 0) {
      response
        .writeHead(200, { etag: '"v1"', 'content-length': whole.length })
        .write(whole.slice(0, 2_000_000))
      breakConnection = () => request.socket.destroy()
    } else {
      expect(request.headers['if-range']).toBe('"v1"')
      const range = `bytes ${start}-${whole.length - 1}/${whole.length}`
      response.writeHead(206, { etag: '"v1"', 'content-range': range }).end(whole.slice(start))
    }
  })
  const target = join(temporaryFolder(), 'file')
  const onEvent = ({ type }: SourceEvent): void => {
    if (type === 'source-download-progress') breakConnection()
  }
  await download(url, target, { ...options, onEvent })
  expect(sha256(readFileSync(target, 'utf8'))).toBe(sha256(whole))
  expect(starts).toHaveLength(2)
  expect(starts[1]).toBeGreaterThan(1_000_000)
})

test('A download that broke before its first byte begins anew, without a range.', async () => {
  const ranges: (string | undefined)[] = []
  const url = await serve((request, response) => {
    ranges.push(request.headers.range)
    response.writeHead(200, { etag: '"v1"', 'content-length': '3' })
    if (ranges.length > 1) response.end('new')
    else {
      response.flushHeaders()
      setImmediate(() => request.socket.destroy())
    }
  })
  const target = join(temporaryFolder(), 'file')
  await download(url, target, options)
  expect([readFileSync(target, 'utf8'), ranges]).toEqual(['new', [undefined, undefined]])
})

test('A new version on the server replaces what was half there.', async () => {
  let requests = 0
  const url = await serve((request, response) => {
    requests++
    if (requests === 1) {
      response.writeHead(200, { etag: '"v1"', 'content-length': '10' })
      response.write('01234', () => request.socket.destroy())
    } else response.writeHead(200, { etag: '"v2"', 'content-length': '3' }).end('new')
  })
  const target = join(temporaryFolder(), 'file')
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('new')
})

test('A server’s weak tag promises no equal bytes: what is half there is fetched anew.', async () => {
  const whole = '0123456789'.repeat(300_000)
  const ranges: (string | undefined)[] = []
  let breakConnection = (): void => undefined
  const url = await serve((request, response) => {
    ranges.push(request.headers.range)
    response.writeHead(200, { etag: 'W/"v1"', 'content-length': whole.length })
    if (ranges.length > 1) response.end(whole)
    else response.write(whole.slice(0, 2_000_000))
    breakConnection = () => {
      if (ranges.length === 1) request.socket.destroy()
    }
  })
  const target = join(temporaryFolder(), 'file')
  const onEvent = ({ type }: SourceEvent): void => {
    if (type === 'source-download-progress') breakConnection()
  }
  await download(url, target, { ...options, onEvent })
  expect(sha256(readFileSync(target, 'utf8'))).toBe(sha256(whole))
  expect(ranges).toEqual([undefined, undefined])
})

/** A download's place, where a killed process left five bytes of the version `"v1"`. */
const begun = (): string => {
  const target = join(temporaryFolder(), 'file')
  const dead = formatIdentity({ ...identifyProcess(), start: '1' })
  writeFileSync(`${target}.part-${dead}`, '01234')
  writeFileSync(`${target}.part-${dead}.etag`, '"v1"')
  return target
}

test.each([
  ['begins elsewhere than what is here ends', '"v1"', 'bytes 3-9/10', '3456789'],
  ['is of another version, whatever was asked for', '"v2"', 'bytes 5-9/10', 'fghij'],
  ['tells no version', undefined, 'bytes 5-9/10', 'fghij'],
])('A part that %s is not put behind it.', async (_, etag, range, rest) => {
  const target = begun()
  const url = await serve((request, response) => {
    if (request.headers.range === undefined) response.writeHead(200).end('0123456789')
    else response.writeHead(206, { ...(etag && { etag }), 'content-range': range }).end(rest)
  })
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('0123456789')
})

test('Where a server gives less of a range than was asked for, the rest is asked for, too.', async () => {
  const target = begun()
  const url = await serve((request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1])
    const range = `bytes ${start}-${start}/10`
    response.writeHead(206, { etag: '"v1"', 'content-range': range, 'content-length': 1 }).end(`${start}`)
  })
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('0123456789')
})

test('What is half there never lies by the tag of a new version, at whatever moment it ends.', async () => {
  const target = begun()
  const url = await serve((request, response) => {
    if (request.headers['if-range'] === '"v2"')
      response.writeHead(206, { etag: '"v2"', 'content-range': 'bytes 5-9/10' }).end('fghij')
    else response.writeHead(200, { etag: '"v2"' }).end('abcdefghij')
  })
  let starts = 0
  const onEvent = ({ type }: SourceEvent): void => {
    if (type === 'source-download-start' && starts++ === 0) throw new Error('ended here')
  }
  await download(url, target, { ...options, onEvent })
  expect(readFileSync(target, 'utf8')).toBe('abcdefghij')
})

test('What a killed process left is taken over.', async () => {
  const target = begun()
  const url = await serve((request, response) => {
    expect(request.headers.range).toBe('bytes=5-')
    response.writeHead(206, { etag: '"v1"', 'content-range': 'bytes 5-9/10' }).end('56789')
  })
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('0123456789')
  expect(readdirSync(dirname(target))).toEqual(['file'])
})

test('Of two killed processes no part goes on by the other’s tag, and nothing of them stays.', async () => {
  const target = join(temporaryFolder(), 'file')
  const [one, two, three] = ['1', '2', '3'].map(
    (start) => `${target}.part-${formatIdentity({ ...identifyProcess(), start })}`,
  )
  writeFileSync(`${one}`, '01234')
  writeFileSync(`${one}.etag`, '"v1"')
  // Of a version without a tag.
  writeFileSync(`${two}`, 'abcdefg')
  // Killed before its part was there.
  writeFileSync(`${three}.etag`, '"v1"')
  const url = await serve((request, response) => {
    expect(request.headers.range).toBeUndefined()
    response.writeHead(200, { etag: '"v1"' }).end('0123456789')
  })
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('0123456789')
  expect(readdirSync(dirname(target))).toEqual(['file'])
})

test('What a process on another machine writes is left to it.', async () => {
  const target = join(temporaryFolder(), 'file')
  const other = `${target}.part-${formatIdentity({ ...identifyProcess(), boot: 'another' })}`
  writeFileSync(other, '01234')
  writeFileSync(`${other}.etag`, '"v1"')
  const url = await serve((request, response) => {
    expect(request.headers.range).toBeUndefined()
    response.writeHead(200, { etag: '"v1"' }).end('0123456789')
  })
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('0123456789')
  expect(readFileSync(other, 'utf8')).toBe('01234')
})

test('What a boot before this one left is not gone on with: a power cut may have kept its bytes from the disk', async () => {
  const target = join(temporaryFolder(), 'file')
  const other = `${target}.part-${formatIdentity({ ...identifyProcess(), boot: 'another' })}`
  writeFileSync(other, '\0\0\0\0\0')
  writeFileSync(`${other}.etag`, '"v1"')
  const daysAgo = new Date(Date.now() - 2 * 86_400_000)
  utimesSync(other, daysAgo, daysAgo)
  const url = await serve((request, response) => {
    if (request.headers.range === undefined) response.writeHead(200, { etag: '"v1"' }).end('0123456789')
    else response.writeHead(206, { etag: '"v1"', 'content-range': 'bytes 5-9/10' }).end('56789')
  })
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('0123456789')
  expect(readdirSync(dirname(target))).toEqual(['file'])
})
