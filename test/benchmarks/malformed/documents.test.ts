import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { readRunEntries } from '../../../targets/entries/run-entry.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { named, readFileOf, write, type Case } from './load.ts'

const XML = { format: 'xml' }
const DOCX = { format: 'docx' }
const docx = (xml: string): Uint8Array => zipSync({ 'word/document.xml': strToU8(xml) })
/** Ten levels of ten: 20 GB of text. */
const bomb = `<!DOCTYPE x [<!ENTITY e0 "ha">${Array.from({ length: 10 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`).join('')}]><x>&e10;</x>`

const CASES: readonly Case[] = [
  ['xml, empty', ['x.xml', ''], XML, 'xml'],
  ['xml, cut off', ['x.xml', '<a><b>text'], XML, 'xml', { line: 1 }],
  ['xml, tags crossed', ['x.xml', '<a>\n<b></a></b>'], XML, 'xml', { line: 2 }],
  ['xml, a bare ampersand', ['x.xml', '<a>black & white</a>'], XML, 'xml', { line: 1 }],
  ['xml, a bomb of entities', ['x.xml', bomb], XML, 'xml'],
  [
    'xml, an entity from a file',
    ['x.xml', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'],
    XML,
    'xml',
    { line: 1 },
  ],
  ['xml, two roots', ['x.xml', '<a/><b/>'], XML, 'xml', { line: 1 }],
  ['xml, a NUL byte', ['x.xml', '<a>\0</a>'], XML, 'xml', { line: 1 }],
  [
    'xml, latin-1',
    ['x.xml', Buffer.from('<a>caf\u00e9</a>', 'latin1')],
    XML,
    'not-utf8',
    { line: 1, column: 7 },
  ],
  ['docx, no archive', ['d.docx', 'text'], DOCX, 'zip'],
  ['docx, cut off', ['d.docx', docx('<a/>').subarray(0, 50)], DOCX, 'zip'],
  [
    'docx, an archive of something else',
    ['d.docx', zipSync({ 'x.txt': strToU8('x') })],
    DOCX,
    'missing-member',
    { field: 'word/document.xml' },
  ],
  ['docx, XML cut off', ['d.docx', docx('<w:document><w:body>')], DOCX, 'xml', { line: 1 }],
  [
    'txt, latin-1',
    ['t.txt', Buffer.from('a\ncaf\u00e9', 'latin1')],
    { format: 'text' },
    'not-utf8',
    { line: 2, column: 4 },
  ],
  [
    'txt, UTF-16',
    ['t.txt', Buffer.from('\ufeffa', 'utf16le')],
    { format: 'text' },
    'not-utf8',
    { line: 1, column: 1 },
  ],
]

describe('a malformed document is an error with its place', () => {
  it.each(named(CASES))('$title', async ({ file, source, code, where }) => {
    const problem = await problemOf(() => readFileOf(file, source))
    expect(problem).toMatchObject({ code: `benchmarks/${code}`, where })
    expect(problem?.where?.file).toContain(file[0])
  })
})

const SOUND = `name: bad
description: A bad declaration.
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics: [{ name: exact_match }]
`

describe('a malformed declaration is an error with its place', () => {
  const files = { 'benchmarks/bad/prompt.txt': '{q}', 'benchmarks/bad/data.csv': 'q,correct_answer\na,b\n' }
  const find = async (yaml: string | Uint8Array) => {
    const workspace = temporaryFolder()
    write(workspace, { ...files, 'benchmarks/bad/benchmark.yaml': yaml })
    return findBenchmark('bad', new Map(), benchmarkContext({ workspace }))
  }

  it('is none where the file is well', async () => {
    expect((await find(SOUND)).name).toBe('bad')
  })

  it.each([
    ['empty', '', {}],
    ['a tab for indentation', `${SOUND}x:\n\ty: 1\n`, { line: 8 }],
    ['a key twice', `${SOUND}name: worse\n`, { line: 7 }],
    ['an unknown key', `${SOUND}max_token: 5\n`, { line: 7 }],
    ['a number for a name', SOUND.replace('name: bad', 'name: 7'), { line: 1 }],
    ['a text for a number', SOUND.replace('max_tokens: 5', 'max_tokens: many'), { line: 5 }],
    ['an unknown metric', SOUND.replace('exact_match', 'exact_mach'), { line: 6 }],
    ['an open bracket', SOUND.replace('}]', '}'), {}],
    ['an alias without an anchor', `${SOUND}category: *none\n`, { line: 7 }],
    ['a list', '- name: bad\n', {}],
    ['two documents', `${SOUND}---\n${SOUND}`, {}],
    ['latin-1', Buffer.concat([Buffer.from(SOUND), Buffer.of(0x23, 0xe9)]), { line: 7 }],
  ])('yaml, %s', async (_, yaml, where) => {
    const problem = await problemOf(() => find(yaml))
    expect(problem?.code).toMatch(/^benchmarks\//)
    expect(problem).toMatchObject({ where })
    expect(problem?.where?.file).toContain('benchmarks/bad/benchmark.yaml')
  })

  it.each([
    ['an open bracket', 'entries: [ {description: "a:model=b/c", priority: 1}\n'],
    ['a quote that never ends', 'entries: [ {description: "a:model=b/c, priority: 1} ]\n'],
    ['no entries', 'entry: []\n'],
    ['a quoted priority', 'entries: [ {description: "a:model=b/c", priority: "one"} ]\n'],
    ['no description', 'entries: [ {priority: 1} ]\n'],
    ['a list of texts', 'entries: [ "a:model=b/c" ]\n'],
  ])('conf, %s', async (_, text) => {
    const folder = temporaryFolder()
    write(folder, { 'main.conf': text })
    const problem = await problemOf(() => readRunEntries(`${folder}/main.conf`))
    expect(problem?.where?.file).toContain('main.conf')
    expect(problem?.remedy).not.toBe('')
  })
})
