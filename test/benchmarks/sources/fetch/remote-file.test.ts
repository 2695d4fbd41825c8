import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { download } from '../../../../benchmarks/sources/fetch/download.ts'
import { mirrorPath, remoteFile } from '../../../../benchmarks/sources/fetch/remote-file.ts'
import { benchmarkContext } from '../../../rig/benchmark-context.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { options, serve, sha256 } from './file-server.ts'

test('A file is fetched once, and what is left beside it is nothing.', async () => {
  let requests = 0
  const url = await serve((_, response) => {
    requests++
    response.end('a,b\n')
  })
  const context = benchmarkContext()
  const first = await remoteFile({ url, sha256: sha256('a,b\n') }, context)
  const again = await remoteFile({ url, sha256: sha256('a,b\n') }, context)
  expect(first).toEqual(again)
  expect(first.path).toBe(join(context.dataPath, mirrorPath(url)))
  expect(requests).toBe(1)
  expect(readdirSync(dirname(first.path))).toEqual(['file.csv'])
  expect(context.fileDigests.reads).toBe(1)
})

test('Two that want a file at the same time fetch it once.', async () => {
  let requests = 0
  const url = await serve((_, response) => {
    requests++
    response.end('a,b\n')
  })
  const context = benchmarkContext()
  const [first, second] = await Promise.all([remoteFile({ url }, context), remoteFile({ url }, context)])
  expect(first).toEqual(second)
  expect(requests).toBe(1)
})

test('A redirect is followed.', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/elsewhere') response.end('found')
    else response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const target = join(temporaryFolder(), 'file')
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('found')
})

test('A file lies in a mirror by host, path and query; runs of slashes are one.', () => {
  expect(mirrorPath('https://data.example//a///b.csv?x=1&y=(2)')).toBe('data.example/a/b.csv__x=1&y=%282%29')
})

test('A passing fault of the server is retried, a refusal is reported.', async () => {
  let requests = 0
  const url = await serve((_, response) => {
    requests++
    if (requests < 3) response.writeHead(503).end()
    else response.end('ok')
  })
  const target = join(temporaryFolder(), 'file')
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('ok')
  for (const status of [404, 410]) {
    const gone = await serve((_, response) => response.writeHead(status).end())
    expect(await problemOf(download(gone, join(temporaryFolder(), 'file'), options))).toMatchObject({
      code: 'benchmarks/not-found',
      message: `${gone} can't be downloaded: the server has no such file (${status})`,
    })
  }
  const closed = await serve((_, response) => response.writeHead(403).end())
  expect(await problemOf(download(closed, join(temporaryFolder(), 'file'), options))).toMatchObject({
    code: 'benchmarks/download',
    message: `${closed} can't be downloaded: the server answered 403`,
  })
})

test("Google Drive's page before a large file is passed.", async () => {
  const url = await serve((request, response) => {
    const asked = new URL(request.url ?? '', 'http://localhost')
    if (asked.pathname === '/download') {
      response.end(`the file ${asked.search}`)
      return
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<html><form id="download-form" action="/download?a=1&amp;b=2" method="get">
       <input type="submit" value="Download anyway"/><input type="hidden" name="id" value="x y">
       <input type="hidden" name="uuid" value="1-2"></form></html>`,
    )
  })
  const target = join(temporaryFolder(), 'file')
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('the file ?a=1&b=2&id=x+y&uuid=1-2')
})

test('A web page that is the file itself is kept.', async () => {
  const url = await serve((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<p>caf\u00e9</p>')
  })
  const target = join(temporaryFolder(), 'file')
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('<p>caf\u00e9</p>')
})

test('A file whose name is as long as a disk takes is fetched, too.', async () => {
  const url = await serve((_, response) => response.end('a,b\n'))
  const target = join(temporaryFolder(), 'n'.repeat(255))
  await download(url, target, options)
  expect(readFileSync(target, 'utf8')).toBe('a,b\n')
})

test('A pinned file with another digest is an error that names both.', async () => {
  const url = await serve((_, response) => response.end('changed'))
  const problem = await problemOf(remoteFile({ url, sha256: sha256('as published') }, benchmarkContext()))
  expect(problem?.code).toBe('benchmarks/changed-data')
  expect(problem?.message).toContain(sha256('as published'))
  expect(problem?.message).toContain(sha256('changed'))
  // There is no line of a lock to take out.
  expect(problem?.remedy).toContain('do not use it')
})

test('An unpinned file is recorded on first use, and a later difference is an error.', async () => {
  const url = await serve((_, response) => response.end('first'))
  const context = benchmarkContext()
  const { path } = await remoteFile({ url }, context)
  const lock = join(context.workspace, 'benchmarks/datasets.lock')
  expect(readFileSync(lock, 'utf8')).toContain(`${sha256('first')}  ${url}\n`)
  expect(context.events.map(({ type }) => type)).toContain('source-recorded')
  writeFileSync(path, 'second')
  const problem = await problemOf(remoteFile({ url }, context))
  expect(problem).toMatchObject({ code: 'benchmarks/changed-data', where: { file: path } })
  expect(problem?.remedy).toContain('datasets.lock')
})

test('A mirror serves URLs by its layout and no network is touched.', async () => {
  const mirror = temporaryFolder()
  const url = 'https://example.org/a//b%20c/d.csv?x=1&y=a b'
  const file = join(mirror, 'example.org/a/b%20c/d.csv__x=1&y=a%2520b')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'here')
  const context = benchmarkContext({ mirror })
  expect((await remoteFile({ url }, context)).path).toBe(file)
  expect(existsSync(context.dataPath)).toBe(false)
  expect(await problemOf(remoteFile({ url: 'https://example.org/none' }, context))).toMatchObject({
    code: 'benchmarks/not-mirrored',
  })
})

test.each([
  ['a web page', 'file.csv', '<!DOCTYPE html><html>Sign in</html>', 'web page'],
  ['nothing', 'file.csv', '', 'empty'],
  ['half a Parquet file', 'file.parquet', 'PAR1 and no end', 'end is missing'],
  ['half a zip archive', 'file.zip', 'PK\u0003\u0004 and no end', 'end is missing'],
  ['half an Arrow file', 'file.feather', 'ARROW1 and no end', 'end is missing'],
  ['a gzip header', 'file.gz', Buffer.of(0x1f, 0x8b, 8), 'end is missing'],
  ['half a database', 'file.sqlite', `SQLite format 3\0${'\u0010\0'.repeat(50)}`, 'end is missing'],
  ['a page in place of an archive', 'file.zip', '<html>', 'web page'],
  ['bytes in place of an archive', 'file.zip', 'Not found', 'no zip archive'],
  ['an archive of nothing', 'file.zip', `PK\u0005\u0006${'\0'.repeat(18)}`, 'holds no file'],
  ['a pointer', 'file.csv', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n', 'Git LFS'],
  ['text in place of Parquet', 'file.parquet', 'Not found', 'no Parquet file'],
])('A first download that is %s is refused and not recorded.', async (_, name, body, fault) => {
  const url = `https://example.org/${name}`
  const mirror = temporaryFolder()
  const path = join(mirror, mirrorPath(url))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, body)
  const context = benchmarkContext({ mirror })
  expect(await problemOf(remoteFile({ url }, context))).toMatchObject({
    code: 'benchmarks/damaged-download',
    message: expect.stringContaining(fault) as string,
    where: { file: path },
  })
  expect(existsSync(join(context.workspace, 'benchmarks/datasets.lock'))).toBe(false)
})

test('A file whose server tells no size is given up where it does not end.', async () => {
  const url = await serve((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(1000)));
    }
    response.on('drain', more)
    more()
  })
  const target = join(temporaryFolder(), 'file.csv')
  const problem = await problemOf(download(url, target, { ...options, longest: 5000 }))
  expect(problem).toMatchObject({ code: 'benchmarks/download' })
  expect(problem?.message).toContain('longer than 5000 bytes')
  expect(existsSync(target)).toBe(false)
})

test('A page that does not end is given up.', async () => {
  const url = await serve((_, response) => {
    response.setHeader('content-type', 'text/html')
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(1 << 20)));
    }
    response.on('drain', more)
    more()
  })
  const problem = await problemOf(download(url, join(temporaryFolder(), 'file.csv'), options))
  expect(problem?.message).toContain('a page that does not end')
})
