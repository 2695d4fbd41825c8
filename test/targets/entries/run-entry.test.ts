import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseRunEntries, readRunEntries, type EntryMemory } from '../../../targets/entries/run-entry.ts'
import { shared } from '../../rig/shared.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { problemOf } from '../../rig/problem-of.ts'

const problem = (text: string) => problemOf(parseRunEntries(text, 'x.conf'))

describe('a suite file', () => {
  it('takes comments, missing and trailing commas, and remembers where each entry stands', async () => {
    const text = [
      '# a comment',
      'entries: [',
      '  {description: "a:model=x/y", priority: 2} // another',
      '  {description: "a:model=x/z", groups: [b, "a"],},',
      ']',
    ].join('\n')
    expect(await parseRunEntries(text, 'x.conf')).toEqual([
      { description: 'a:model=x/y', priority: 2, where: { file: 'x.conf', line: 3, column: 18 } },
      { description: 'a:model=x/z', groups: ['b', 'a'], where: { file: 'x.conf', line: 4, column: 18 } },
    ])
  })

  it('knows the place of each of two entries that read the same', async () => {
    const entry = '  {description: "a:model=x/y"}'
    const entries = await parseRunEntries(
      ['entries: [', entry, `${entry}, `, ` ${entry}`, ']'].join('\n'),
      'x.conf',
    )
    expect(entries.map(({ where: { line, column } }) => [line, column])).toEqual([
      [2, 18],
      [3, 18],
      [4, 19],
    ])
  })

  it('has no NUL in an entry, as no path may', async () => {
    expect(await problem(String.raw`entries: [{description: "a\u0000:model=x/y"}]`)).toMatchObject({
      code: 'targets/bad-value',
      remedy: expect.stringContaining('NUL'),
    })
  })

  it('may begin with a byte order mark', async () => {
    const entries = await parseRunEntries('\u{FEFF}entries: [{description: "a:model=x/y"}]', 'x.conf')
    expect(entries).toMatchObject([{ description: 'a:model=x/y' }])
  })

  it('of two lists, of which HOCON would drop the first, is refused; one that is added to is not', async () => {
    const one = 'entries: [{description: "a:model=x/y"}]\n'
    expect(await problem(one + one)).toMatchObject({ code: 'targets/run-entry' })
    const added = `${one}entries += {description: "b:model=x/y"}`
    expect(await parseRunEntries(added, 'x.conf')).toHaveLength(2)
  })

  it.each([
    'entries: [{description: "a"} {description: "b"}]',
    'entries: [{description: "a"}{\ndescription: "b"}]',
    'entries: [{description: "a", "description": "b"}]',
    '{"entries": [{"description": "a"}], "entries": []}',
  ])('of which HOCON hides an entry is refused: %j', async (text) => {
    expect(await problem(text)).toMatchObject({ code: 'targets/run-entry', where: { field: 'entries' } })
  })

  it('may hold other lists, and texts that look like entries', async () => {
    const text =
      '"off" = [{description: "b"}]\nentries: [{description: "description: [", groups: [a]} # {description: c}\n]'
    expect(await parseRunEntries(text, 'x.conf')).toHaveLength(1)
  })

  it('refuses include and substitutions with their place', async () => {
    expect(await problem('include "/etc/passwd"')).toMatchObject({ code: 'config/hocon', where: { line: 1 } })
    expect(await problem('entries: []\n  include url("http://127.0.0.1/x")')).toMatchObject({
      where: { line: 2 },
    })
    expect(await problem('a = 1\nb = ${a}')).toMatchObject({ where: { line: 2 } })
  })

  it('refuses brackets within brackets at once, where they lie too deep', async () => {
    const nested = (depth: number): string =>
      `entries: []\nx: ${'[{},"[",'.repeat(depth)}${']'.repeat(depth)}`
    expect(await problem(nested(20_000))).toMatchObject({
      code: 'config/hocon',
      message: 'nesting deeper than 100 is not supported',
      where: { line: 2 },
    })
    expect(await parseRunEntries(nested(90), 'x.conf')).toEqual([])
  })

  it('says where brackets are wrong', async () => {
    expect(await problem('entries: [ {description: "a"} ')).toMatchObject({
      code: 'config/hocon',
      where: { file: 'x.conf', line: 1 },
    })
  })

  it('says which entry lacks a description or has a priority that is no number', async () => {
    expect(await problem('entries: [\n  {description: "a"}\n  {priority: 1}\n]')).toMatchObject({
      code: 'targets/missing-key',
      where: { file: 'x.conf', line: 3, column: 3 },
      remedy: expect.stringContaining('A suite is a list'),
    })
    expect(await problem('entries: [ {description: "a", priority: "1"} ]')).toMatchObject({
      message: expect.stringContaining('priority'),
    })
  })
})

it('an unknown key of an entry is refused in its line, with the one that was meant', async () => {
  expect(await problem('entries: [ {description: "a", proirity: 2} ]')).toMatchObject({
    code: 'targets/unknown-key',
    where: { file: 'x.conf', field: 'entries[0].proirity', line: 1, column: 31 },
    remedy: expect.stringContaining('Did you mean "priority"?'),
  })
  const lines = ['# {pirority: 1', '{ "entries": [', '  {description: "a:x={,pirority=1"} // }', '  {']
  const text = [...lines, '    description: "b", groups: [g]', '    "pirority": 2', '  }', ']}'].join('\r\n')
  expect(await problem(text)).toMatchObject({ where: { field: 'entries[1].pirority', line: 6, column: 5 } })
})

it('a misspelt description is told once, as what it was meant for', async () => {
  const error = parseRunEntries('entries: [{desciption: "a:model=x/y"}]', 'x.conf')
  await expect(error).rejects.toMatchObject({ problems: [{ code: 'targets/unknown-key' }] })
})

describe.skipIf(shared('golden') === undefined)("HELM's own suites", () => {
  it.each([
    ['run_entries_medhelm_public.conf', 222],
    ['run_entries_medhelm_gated.conf', 143],
    ['run_entries_medhelm_private_stanford.conf', 338],
    ['run_entries_medhelm_dspy.conf', 64],
  ])('%s holds %i entries', async (name, count) => {
    expect(await readRunEntries(shared(`golden/official-inputs/${name}`) ?? '')).toHaveLength(count)
  })
})

it('entries that were read before are remembered by their text, and stand in the file that is read', async () => {
  const known = new Map<string, NonNullable<ReturnType<EntryMemory['get']>>>()
  const memory: EntryMemory = {
    get: (text) => known.get(text),
    put: (text, entries) => void known.set(text, entries),
  }
  const folder = temporaryFolder()
  const read = (name: string) => {
    writeFileSync(join(folder, name), 'entries: [{description: "a:model=x/y", priority: 2}]')
    return readRunEntries(join(folder, name), memory)
  }
  const entry = { description: 'a:model=x/y', priority: 2 }
  for (const name of ['one.conf', 'two.conf'])
    expect(await read(name)).toEqual([{ ...entry, where: { file: join(folder, name), line: 1, column: 26 } }])
  expect([...known.values()]).toEqual([[{ ...entry, where: { line: 1, column: 26 } }]])
})
