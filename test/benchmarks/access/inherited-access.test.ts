import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  restrictedData,
  withInheritedAccess,
  type RestrictedData,
} from '../../../benchmarks/access/access.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { MemoryDigests } from '../../rig/benchmark-context.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const ROWS = 'id,text\n1,Mrs Example\n'
let root = ''
beforeEach(() => {
  root = temporaryFolder()
})

const write = (path: string, text: string): string => {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const benchmarkOf = (data: readonly string[] | undefined, more: Partial<Benchmark> = {}): Benchmark =>
  ({ name: 'mine', access: 'public', ...(data === undefined ? {} : { data }), ...more }) as Benchmark

const inherited = async (
  data: readonly string[],
  ...restricted: readonly RestrictedData[]
): Promise<Pick<Benchmark, 'access' | 'accessReason'>> => {
  const { access, accessReason } = await withInheritedAccess(benchmarkOf(data), async () => restricted, {
    fileDigests: new MemoryDigests(),
  })
  return { access, ...(accessReason === undefined ? {} : { accessReason }) }
}

const wards = (...places: readonly string[]): RestrictedData => ({
  benchmark: 'wards',
  access: 'private',
  places,
})
const PUBLIC = { access: 'public' }
const PRIVATE = { access: 'private', accessReason: 'mine.csv is data of wards' }

describe('A benchmark that says it is public', () => {
  test('is as private as the one whose file it reads, by whatever way.', async () => {
    const theirs = write('wards/data.csv', ROWS)
    const folder = join(root, 'wards')
    symlinkSync(theirs, join(root, 'mine.csv'))
    expect(await inherited([join(root, 'mine.csv')], wards(theirs))).toEqual({
      access: 'private',
      accessReason: 'data.csv is data of wards',
    })
    expect(await inherited([folder], wards(folder))).toMatchObject({ access: 'private' })
    // The very file, whatever it is called.
    const notes = write('wards/notes.txt', '')
    expect(await inherited([notes], wards(folder))).toMatchObject({ access: 'private' })
    write('wards/deep/er/more.csv', 'a')
    expect(await inherited([join(folder, 'deep/er/more.csv')], wards(folder))).toMatchObject({
      access: 'private',
    })
  })

  test('is told so by one look at that one’s files, however many such benchmarks there are.', async () => {
    const folder = dirname(write('wards/data.csv', ROWS))
    let looks = 0
    const theirs: RestrictedData = {
      benchmark: 'wards',
      access: 'private',
      get places() {
        looks += 1
        return [folder]
      },
    }
    const mine = write('mine.csv', ROWS)
    expect([await inherited([mine], theirs), await inherited([mine], theirs)]).toEqual([PRIVATE, PRIVATE])
    expect(looks).toBe(1)
  })

  test('and as the one whose data it has a copy of.', async () => {
    const [theirs, mine] = [write('wards/data.csv', ROWS), write('mine.csv', ROWS)]
    expect(await inherited([mine], wards(theirs))).toEqual(PRIVATE)
    expect(await inherited([write('mine.csv', ROWS.replace('Mrs', 'Mr.'))], wards(theirs))).toEqual(PUBLIC)
    expect(await inherited([write('mine.csv', `${ROWS}\n`)], wards(theirs))).toEqual(PUBLIC)
  })

  test.each([
    ['a header', 'data.csv', 'id,text\n'],
    ['a header of 4,096 bytes', 'data.csv', 'x'.repeat(4096)],
    ['a header of tabs', 'data.tsv', 'id\ttext'],
    ['nothing', 'data.csv', ''],
    ['an empty list', 'data.json', '[ ]\n'],
    ['an empty object', 'data.json', '{}'],
    ['blanks', 'data.json', ' \n'],
  ])('stays so where the copy holds %s', async (_, name, text) => {
    expect(await inherited([write('mine.csv', text)], wards(write(`wards/${name}`, text)))).toEqual(PUBLIC)
    const [mine, theirs] = [write(`mine/${name}`, text), write(`wards/${name}`, text)]
    expect(await inherited([mine], wards(theirs))).toEqual(PUBLIC)
  })

  test.each([
    ['data.json', '[1]'],
    ['data.txt.gz', 'x'],
    ['data.csv.gz', 'x'],
    ['data.csv', 'a\r1'],
    ['data.csv', `id${'x'.repeat(5000)}`],
    ['data.json', ' '.repeat(5000)],
  ])('and does not where it holds a row: %s', async (name, text) => {
    const [mine, theirs] = [write(`mine/${name}`, text), write(`wards/${name}`, text)]
    expect(await inherited([mine], wards(theirs))).toMatchObject({ access: 'private' })
  })

  test.each(['yaml', 'yml', 'txt', 'md', 'ts', 'js', 'mjs', 'cjs', 'mts', 'cts'])(
    'may share a .%s, which is a rubric, a prompt or code',
    async (ending) => {
      const theirs = write(`wards/rubric.${ending}`, ROWS)
      expect(await inherited([write(`mine/rubric.${ending}`, ROWS)], wards(theirs))).toEqual(PUBLIC)
      // A copy of data may be called anything, as may what it is a copy of.
      expect(
        await inherited([write(`mine/rubric.${ending}`, ROWS)], wards(write('wards/a.csv', ROWS))),
      ).toMatchObject({ access: 'private' })
    },
  )

  test('takes the strictest of several, and nothing from itself.', async () => {
    const theirs = write('wards/data.csv', ROWS)
    const gated: RestrictedData = { benchmark: 'gated', access: 'gated', places: [theirs] }
    expect(await inherited([theirs], gated, wards(theirs))).toMatchObject({ access: 'private' })
    expect(await inherited([theirs], wards(theirs), gated)).toMatchObject({ access: 'private' })
    expect(await inherited([theirs], gated, wards(theirs), gated)).toMatchObject({ access: 'private' })
    expect(await inherited([theirs], gated)).toEqual({
      access: 'gated',
      accessReason: 'data.csv is data of gated',
    })
    expect(await inherited([theirs], { ...wards(theirs), benchmark: 'mine' })).toEqual(PUBLIC)
  })

  test('asks about no others where it has no data of its own, or is not public.', async () => {
    const never = () => Promise.reject(new Error('nobody was to ask'))
    const context = { fileDigests: new MemoryDigests() }
    const built = join(packageRoot(), 'benchmarks/catalog/demo_clinical_calculations/data.csv')
    const gone = join(root, 'nothing.csv')
    for (const benchmark of [
      benchmarkOf(undefined),
      benchmarkOf([]),
      benchmarkOf([built]),
      benchmarkOf([gone]),
      benchmarkOf([write('a.csv', ROWS)], { access: 'gated' }),
    ])
      expect(await withInheritedAccess(benchmark, never, context)).toBe(benchmark)
  })

  test('is not held up by places that are not there, by folders of the kernel, or by links to nowhere.', async () => {
    const mine = write('mine.csv', ROWS)
    mkdirSync(join(root, 'wards'))
    symlinkSync(join(root, 'nowhere'), join(root, 'wards/broken'))
    const places = [join(root, 'gone'), '/proc/self', join(root, 'wards')]
    expect(await inherited([mine], wards(...places))).toEqual(PUBLIC)
    // The rest of such a folder is looked at all the same.
    write('wards/copy.csv', ROWS)
    expect(await inherited([mine], wards(...places))).toEqual(PRIVATE)
  })
})

describe('The data of a restricted benchmark', () => {
  const context = { dataPath: '/data' }
  const placesOf = (value: unknown, origin: 'workspace' | 'built-in' = 'workspace'): readonly string[] =>
    restrictedData(
      { name: 'wards', origin },
      'gated',
      { file: '/w/benchmarks/wards/benchmark.yaml', value },
      context,
    ).places

  test('lies in its folder, where its declaration says, and where data is looked for.', () => {
    const own = ['/w/benchmarks/wards', '/data/wards']
    expect(
      restrictedData({ name: 'wards', origin: 'built-in' }, 'gated', { file: '/x', value: {} }, context),
    ).toEqual({
      benchmark: 'wards',
      access: 'gated',
      places: ['/data/wards'],
    })
    expect(placesOf({ dataset_file: 'a.csv' }, 'built-in')).toEqual(['/data/wards'])
    expect(placesOf({})).toEqual(own)
    expect(placesOf({ dataset_file: '../a.csv' })).toEqual([own[0], '/w/benchmarks/a.csv', own[1]])
    expect(placesOf({ dataset_file: 3 })).toEqual(own)
    expect(placesOf('text')).toEqual(own)
  })

  test('has in it whatever a path with an argument may lead to.', () => {
    const data = {
      plain: { path: '/srv/a.csv' },
      filled: { path: '/srv/{year}/b.csv' },
      named: { path: '/srv/notes-{year}.csv' },
      fetched: { url: 'https://x.example' },
    }
    expect(placesOf({ protocols: [{ data }, { data: 3 }, {}] }).slice(1, -1)).toEqual([
      '/srv/a.csv',
      '/srv',
      '/srv',
    ])
  })
})
