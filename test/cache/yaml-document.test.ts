import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { HELM_YAML, parseYaml, type YamlOptions } from '../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../cache/problems/zod-problems.ts'
import { problemsAtOnce } from '../rig/problem-of.ts'

const TEXT = `# a comment
name: demo
&anchor "quoted key": 'x: y'
judges:
  - name: a
    args: { p: 1, q: [1, 2] }
  - name: b
text: |
  name: not a key
same: *anchor
`

const parse = (text: string, options: Partial<YamlOptions> = {}) =>
  parseYaml(text, 'file.yaml', { room: 'models', ...options })

test('a NUL by any escape is refused where it stands, and what only looks like one is not', () => {
  for (const escape of ['\\0', '\\x00', '\\u0000', '\\\\\\0'])
    expect(problemsAtOnce(() => parse(`a: 1\nstore: "a${escape}b"\n`))).toMatchObject([
      { code: 'models/yaml', where: { line: 2, column: 9 }, remedy: 'Take the character out.' },
    ])
  expect(parse(`a: "\\\\0"\nb: '\\0'\nc: \\0\n`).value).toEqual({ a: '\\0', b: '\\0', c: '\\0' })
})

describe('places', () => {
  test.each([
    [['name'], 2, 1],
    [['quoted key'], 3, 10],
    [['judges', 0], 5, 5],
    [['judges', 0, 'args', 'q'], 6, 19],
    [['judges', 0, 'args', 'q', 1], 6, 26],
    [['judges', 1, 'name'], 7, 5],
    [['same'], 10, 1],
  ])('of %j', (path, line, column) => {
    expect(parse(TEXT).place(path)).toMatchObject({ file: 'file.yaml', line, column })
  })

  test('of a key that is not there is its nearest parent, and the field names the key', () => {
    expect(parse(TEXT).place(['judges', 1, 'model'])).toEqual({
      file: 'file.yaml',
      line: 7,
      column: 5,
      field: 'judges[1].model',
    })
  })

  test('of JSON are found too', () => {
    expect(parse('{\n  "a": {"b": 1}\n}').place(['a', 'b'])).toMatchObject({ line: 2, column: 10 })
  })
})

test.each([
  ['a: 1\na: 2\n', 2, 1],
  ['a: [1\nb: 2\n', 2, 1],
  ['a: "x\n', 2, 1],
])('What is not YAML is reported with its place: %j', (text, line, column) => {
  const [problem] = problemsAtOnce(() => parse(text))
  expect(problem).toMatchObject({ code: 'models/yaml', where: { file: 'file.yaml', line, column } })
})

test('A second document is refused, an empty one is null.', () => {
  expect(problemsAtOnce(() => parse('# ---\na: "---"\n---\nb: 2\n---\n'))[0]).toMatchObject({
    code: 'models/yaml',
    where: { line: 3, column: 1 },
  })
  expect(problemsAtOnce(() => parse('# c\n---\na: 1\n---\nb: 2\n'))[0]).toMatchObject({ where: { line: 4 } })
  expect(parse('').value).toBeNull()
})

test.each([
  ['a: 1\na: 2\n', 'Keep one of the two.'],
  ['a: 1\n---\nb: 2\n', 'Keep one of them, and take out the `---` between them.'],
  ['a: *b\n', 'Put a text that begins with *, & or ! into quotes.'],
  ['a: !b c\n', 'Put a text that begins with *, & or ! into quotes.'],
  ['a:\n\t- b\n', 'Indent with blanks.'],
  ['a: b\0c\n', 'Take the character out.'],
])('What is to be done is said by the fault, not by YAML at large: %j', (text, remedy) => {
  expect(problemsAtOnce(() => parse(text))[0]).toMatchObject({ remedy })
})

test('Numbers are those of YAML 1.2 unless another schema is asked for.', () => {
  expect(parse('a: 010').value).toEqual({ a: 10 })
  expect(parse('a: 010', { schema: HELM_YAML }).value).toEqual({ a: 8 })
})

test("Single letters are texts and << merges, as in HELM's Python.", () => {
  const text = 'base: &base { y: N, sure: yes, n: 1 }\nmade: { <<: *base, n: 2 }\n'
  expect(parse(text, { schema: HELM_YAML }).value).toMatchObject({ made: { y: 'N', sure: true, n: 2 } })
  expect(parse(text).value).toMatchObject({ made: { y: 'N', sure: 'yes', n: 2 } })
})

test('A block that ends the file without a line end has none, and days are texts, as in HELM’s Python.', () => {
  const read = (text: string) => parse(text, { schema: HELM_YAML }).value
  expect(['a: |\n  b\n  c', 'a: >+\n  b', 'a: |\n  b\n', 'a: >+\n  b\n\n'].map(read)).toEqual(
    ['b\nc', 'b', 'b\n', 'b\n\n'].map((a) => ({ a })),
  )
  expect(read('a: |\n  b\nc: 2026-01-31')).toEqual({ a: 'b\n', c: '2026-01-31' })
  expect(parse('a: |\n  b').value).toEqual({ a: 'b\n' })
})

describe('faults of a document', () => {
  const Schema = z.strictObject({
    name: z.string(),
    kind: z.enum(['chat', 'responses']).default('chat'),
    limits: z.strictObject({ concurrency: z.int().positive('it must be greater than 0') }).optional(),
    judges: z.array(z.strictObject({ name: z.string(), model: z.string() })).default([]),
    source: z.union([z.strictObject({ url: z.string() }), z.strictObject({ path: z.string() })]).optional(),
  })
  const faults = (text: string) =>
    problemsAtOnce(() => checkDocument(Schema, parse(text), 'models')).map(
      ({ code, message, where, remedy }) => [code, message, where?.line, remedy],
    )

  test('of a right one there are none', () => {
    expect(checkDocument(Schema, parse('name: x'), 'models')).toEqual({ name: 'x', kind: 'chat', judges: [] })
  })

  test('name an unknown key, its line and what was meant', () => {
    expect(faults('name: x\nlimits:\n  concurency: 3\n')).toEqual([
      [
        'models/unknown-key',
        'there is no key "concurency" here',
        3,
        'Did you mean "concurrency"? Known here: concurrency.',
      ],
    ])
    const [, , , remedy] = faults('name: x\njudges:\n  - { name: a, model: b, modle: c }\n')[0] ?? []
    expect(remedy).toBe('Did you mean "model"? Known here: name, model.')
  })

  test('name a missing key, at its parent', () => {
    expect(faults('name: x\njudges:\n  - name: a\n')).toEqual([
      ['models/missing-key', '"judges[0].model" is missing', 3, 'Add it; it must be text.'],
    ])
  })

  test('say what a value may be', () => {
    expect(faults('name: 5\nkind: caht\nlimits: { concurrency: 0 }\n')).toEqual([
      ['models/bad-value', '"name" can\'t be 5', 1, 'It must be text.'],
      [
        'models/bad-value',
        '"kind" can\'t be "caht"',
        2,
        'Did you mean "chat"? It must be one of "chat", "responses".',
      ],
      ['models/bad-value', '"limits.concurrency" can\'t be 0', 3, 'It must be greater than 0.'],
    ])
    expect(faults('name: .inf\nkind: []\n').map(([, message]) => message)).toEqual([
      '"name" can\'t be Infinity',
      '"kind" can\'t be an empty list',
    ])
  })

  test('quote the first 60 characters of a long value', () => {
    const quoted = (size: number) => faults(`name: x\nkind: ${'k'.repeat(size)}\n`)[0]?.[1]
    expect(quoted(58)).toBe(`"kind" can't be "${'k'.repeat(58)}"`)
    expect(quoted(59)).toBe(`"kind" can't be "${'k'.repeat(59)}…`)
  })

  test('of a word or a mapping are those of the mapping where a key of it is misspelt', () => {
    const Level = z.enum(['none', 'gated'])
    const Agreed = z.strictObject({
      a: z.union([Level, z.strictObject({ level: Level, host: z.string() })]),
    })
    expect(
      problemsAtOnce(() => checkDocument(Agreed, parse('a:\n  level: gated\n  hsot: x\n'), 'config')),
    ).toMatchObject([
      { message: '"a.host" is missing' },
      {
        code: 'config/unknown-key',
        where: { line: 3 },
        remedy: expect.stringContaining('Did you mean "host"?'),
      },
    ])
  })

  test('of a union are those of the branch that was meant', () => {
    expect(faults('name: x\nsource:\n  url: 5\n')).toEqual([
      ['models/bad-value', '"source.url" can\'t be 5', 3, 'It must be text.'],
    ])
    const Either = z.strictObject({ source: z.union([z.string(), z.strictObject({ url: z.string() })]) })
    const [fault] = problemsAtOnce(() => checkDocument(Either, parse('source:\n  url: 5\n'), 'models'))
    expect(fault?.message).toBe('"source.url" can\'t be 5')
  })

  test('of a misspelt word are those of the words, whichever branch is declared first', () => {
    const Level = z.strictObject({ a: z.union([z.strictObject({ level: z.string() }), z.enum(['gated'])]) })
    const [fault] = problemsAtOnce(() => checkDocument(Level, parse('a: gatd'), 'config'))
    expect(fault?.remedy).toBe('Did you mean "gated"? It must be "gated".')
  })

  test('of an empty file are told', () => {
    expect(faults('')).toEqual([
      ['models/bad-value', "the file can't be empty", 1, 'It must be a mapping of keys to values.'],
    ])
  })
})
