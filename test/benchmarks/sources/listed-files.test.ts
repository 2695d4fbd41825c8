import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { gitHubFolder } from '../../../benchmarks/sources/fetch/github-folder.ts'
import { hubDataset } from '../../../benchmarks/sources/fetch/hugging-face.ts'
import { localData } from '../../../benchmarks/sources/fetch/local-data.ts'
import { mirrorPath } from '../../../benchmarks/sources/fetch/remote-file.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const LISTING = 'https://api.github.com/repos/o/r/contents/notes?ref=abc'
const folder = { listing: LISTING, files: 'https://raw.githubusercontent.com/o/r/abc/notes/', suffix: '.txt' }

const mirrorOf = (files: Readonly<Record<string, string>>): string => {
  const mirror = temporaryFolder()
  for (const [url, content] of Object.entries(files)) {
    const path = join(mirror, mirrorPath(url))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return mirror
}
const named = (...names: readonly string[]): string => JSON.stringify(names.map((name) => ({ name })))

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

test('A folder keeps the order of its listing and leaves out other files and names with a number sign.', async () => {
  const mirror = mirrorOf({
    [LISTING]: named('b c.txt', 'README.md', 'a#2.txt', 'a.txt'),
    [`${folder.files}b c.txt`]: 'second',
    [`${folder.files}a.txt`]: 'first',
  })
  const found = await gitHubFolder(folder, benchmarkContext({ mirror }))
  expect(found.parts?.map(({ name, path }) => [name, readFileSync(path, 'utf8')])).toEqual([
    ['b c.txt', 'second'],
    ['a.txt', 'first'],
  ])
})

test('A change of any file, name or order of a folder is noticed; the form of the listing counts for nothing.', async () => {
  const files = { [`${folder.files}a.txt`]: 'a', [`${folder.files}b.txt`]: 'b' }
  const context = (listing: string, other = {}) => ({
    mirror: mirrorOf({ [LISTING]: listing, ...files, ...other }),
  })
  const first = benchmarkContext(context(named('a.txt', 'b.txt')))
  const { digest } = await gitHubFolder(folder, first)
  const at = (given: { mirror: string }) => ({ ...first, ...given })
  const padded = JSON.stringify([{ name: 'a.txt', size: 1 }, { name: 'b.txt' }])
  expect((await gitHubFolder(folder, at(context(padded)))).digest).toBe(digest)
  for (const changed of [
    context(named('b.txt', 'a.txt')),
    context(named('a.txt')),
    context(named('a.txt', 'renamed.txt'), { [`${folder.files}renamed.txt`]: 'b' }),
    context(named('a.txt', 'b.txt', 'c#.txt')),
    context(named('a.txt', 'b.txt'), { [`${folder.files}b.txt`]: 'other' }),
  ])
    expect(await problemOf(() => gitHubFolder(folder, at(changed)))).toMatchObject({
      code: 'benchmarks/changed-data',
    })
})

test('Files of other endings in one folder are data of their own.', async () => {
  const files = { [`${folder.files}a.txt`]: 'a', [`${folder.files}a.ann`]: 'b' }
  const context = benchmarkContext({ mirror: mirrorOf({ [LISTING]: named('a.txt', 'a.ann'), ...files }) })
  const found = []
  for (const suffix of ['.txt', '.ann']) found.push(await gitHubFolder({ ...folder, suffix }, context))
  expect(found.map(({ parts }) => parts?.map(({ name }) => name))).toEqual([['a.txt'], ['a.ann']])
})

test('A listing that is no list of names is an error.', async () => {
  const mirror = mirrorOf({ [LISTING]: '{"message": "API rate limit exceeded"}' })
  const problem = await problemOf(() => gitHubFolder(folder, benchmarkContext({ mirror })))
  expect(problem).toMatchObject({
    code: 'benchmarks/listing',
    where: { file: join(mirror, mirrorPath(LISTING)) },
  })
})

test('A listed file that the server lacks is left out, as HELM does; one that a mirror lacks is an error.', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/list') response.end(named('a.txt', 'new.txt'))
    else if (request.url === '/files/a.txt') response.end('a')
    else response.writeHead(404).end()
  })
  closers.push(() => server.close())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const served = { listing: `${host}/list`, files: `${host}/files/`, suffix: '.txt' }
  const found = await gitHubFolder(served, benchmarkContext())
  expect(found.parts?.map(({ name }) => name)).toEqual(['a.txt'])
  const mirror = mirrorOf({ [served.listing]: named('a.txt', 'new.txt'), [`${served.files}a.txt`]: 'a' })
  expect(await problemOf(() => gitHubFolder(served, benchmarkContext({ mirror })))).toMatchObject({
    code: 'benchmarks/not-mirrored',
  })
})

test('Many small files are told as one download.', async () => {
  const server = createServer((request, response) => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`)
    response.end(request.url === '/list' ? named(...names) : 'text')
  })
  closers.push(() => server.close())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const context = benchmarkContext()
  await gitHubFolder({ listing: `${host}/list`, files: `${host}/files/`, suffix: '.txt' }, context)
  const told = context.events.filter(({ type }) => type.startsWith('source-download-'))
  expect(new Set(told.map((event) => 'url' in event && event.url))).toEqual(new Set([`${host}/list`]))
  expect(told.at(-1)).toEqual({ type: 'source-download-progress', url: `${host}/list`, received: 80 })
})

/** Both ends of such a file. */
const parquetOf = (content: string): string => `PAR1${content}PAR1`

test('A split on the Hub is all its Parquet files in order, those of other splits and configs left out.', async () => {
  const tree = 'https://huggingface.co/api/datasets/o/d/tree/refs%2Fconvert%2Fparquet?recursive=true'
  const at = 'https://huggingface.co/datasets/o/d/resolve/refs%2Fconvert%2Fparquet/'
  const paths = [
    'en/test/0001.parquet',
    'en/test/0000.parquet',
    'en/train/0000.parquet',
    'es/test/0000.parquet',
  ]
  const mirror = mirrorOf({
    [tree]: JSON.stringify([...paths, 'en/test/x.json'].map((path) => ({ type: 'file', path }))),
    ...Object.fromEntries(paths.map((path) => [`${at}${path}`, parquetOf(path)])),
  })
  const context = benchmarkContext({ mirror })
  const found = await hubDataset({ dataset: 'o/d', config: 'en', split: 'test' }, context)
  expect(found.parts?.map(({ path }) => readFileSync(path, 'utf8'))).toEqual([
    parquetOf('en/test/0000.parquet'),
    parquetOf('en/test/0001.parquet'),
  ])
  const problem = await problemOf(() => hubDataset({ dataset: 'o/d', config: 'fr', split: 'test' }, context))
  expect(problem).toMatchObject({
    code: 'benchmarks/listing',
    message: expect.stringContaining('config fr') as string,
  })
})

test('At a commit the files are those that the publisher named.', async () => {
  const tree = 'https://huggingface.co/api/datasets/o/d/tree/abc?recursive=true'
  const paths = [
    'data/test-00000-of-00001.parquet',
    'data/test_hard-00000-of-00001.parquet',
    'data/train.parquet',
    'en/test-00000-of-00001.parquet',
    'data/de/test.parquet',
  ]
  const mirror = mirrorOf({
    [tree]: JSON.stringify(paths.map((path) => ({ type: 'file', path }))),
    ...Object.fromEntries(
      paths.map((path) => [`https://huggingface.co/datasets/o/d/resolve/abc/${path}`, parquetOf(path)]),
    ),
  })
  const context = benchmarkContext({ mirror })
  const names = async (config: string) =>
    (await hubDataset({ dataset: 'o/d', config, split: 'test', revision: 'abc' }, context)).parts?.map(
      ({ name }) => name,
    )
  expect(await Promise.all(['default', 'en', 'de'].map(names))).toEqual([[paths[0]], [paths[3]], [paths[4]]])
})

test('A folder that the user brings is its files of one ending by name, known by all of them; what is not there is none.', async () => {
  const root = temporaryFolder()
  const { fileDigests } = benchmarkContext()
  const found = () => localData(root, '.txt', fileDigests)
  for (const name of ['b.txt', 'a.txt', 'd.txt', 'c.csv']) writeFileSync(join(root, name), name)
  mkdirSync(join(root, 'folder.txt'))
  const first = await found()
  expect(first?.parts?.map(({ name }) => name)).toEqual(['a.txt', 'b.txt', 'd.txt'])
  writeFileSync(join(root, 'c.csv'), 'of no account')
  expect((await found())?.digest).toBe(first?.digest)
  renameSync(join(root, 'b.txt'), join(root, 'e.txt'))
  expect((await found())?.digest).not.toBe(first?.digest)
  // None such, and one below a file.
  for (const path of ['none', 'a.txt/none'])
    expect(await localData(join(root, path), undefined, fileDigests)).toBeUndefined()
})
