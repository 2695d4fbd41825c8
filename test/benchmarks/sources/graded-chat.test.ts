import { expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { gradedChat } from '../../../benchmarks/catalog/health_bench/graded-chats.ts'
import { instances as healthBench } from '../../../benchmarks/catalog/health_bench/scenario.ts'
import { instances as professional } from '../../../benchmarks/catalog/health_bench_professional/scenario.ts'
import { STRICT_ROWS } from '../../../benchmarks/sources/table.ts'
import { scenarioData } from '../../rig/scenario-data.ts'
import { problemOf } from '../../rig/problem-of.ts'

const CHAT = [{ role: 'user', content: 'Hello?' }]
const py = (value: unknown): PyValue => loads(JSON.stringify(value))
const item = (...tags: readonly string[]): object => ({ criterion: 'Greets.', points: 5, tags })

const read = (
  messages: unknown,
  rubrics: unknown = [item()],
  {
    byTag = false,
    exampleTags = [],
    system,
  }: { byTag?: boolean; exampleTags?: unknown; system?: string } = {},
) => {
  const parts = {
    messages: py(messages),
    rubrics: py(rubrics),
    extraData: new Map([['example_tags', py(exampleTags)]]),
  }
  const table = { file: 'chats.jsonl', columns: [], rows: [] }
  const row = { row: 3, line: 3, cells: new Map<string, PyValue>() }
  return gradedChat(table, row, parts, { byTag, ...(system === undefined ? {} : { system }) })
}

test('A chat with its rubric is an instance named by its position from 0, a system message before it.', () => {
  const { id, split, input, extraData } = read(CHAT, undefined, { system: 'Be brief.' })
  expect([id, split, input.messages?.map((message) => message.get('role'))]).toEqual([
    '2',
    'test',
    ['system', 'user'],
  ])
  expect([...(extraData?.keys() ?? [])]).toEqual(['rubrics', 'example_tags'])
})

test.each([
  [[], undefined, {}, 'has no list of messages'],
  ['Hello?', undefined, {}, 'has no list of messages'],
  [
    [...CHAT, { role: 'nurse', content: 'x' }],
    undefined,
    {},
    'has a message 2 without a known role and a text',
  ],
  [[{ role: 'user', content: 5 }], undefined, {}, 'has a message 1 without'],
  [CHAT, [{ points: 5 }], {}, 'has a rubric that'],
  [CHAT, [item(), item('a', 'b', 'a')], { byTag: true }, 'has a rubric whose item 2 names a tag twice'],
  [CHAT, [item('a', 'a'), item()], { byTag: true }, 'has a rubric whose item 1 names a tag twice'],
  [CHAT, [item()], { byTag: true, exampleTags: ['t', 't'] }, 'names an example tag twice'],
] as const)('%j with %j is refused with its row.', async (messages, rubrics, options, told) => {
  expect(await problemOf(() => read(messages, rubrics, options))).toMatchObject({
    code: 'benchmarks/json-rows',
    message: expect.stringContaining(`row 3 ${told}`) as string,
    where: { file: 'chats.jsonl', row: 3 },
  })
})

test('Tags that are named twice harm nobody where no score is given by tag.', () => {
  expect(read(CHAT, [item('a', 'a')], { exampleTags: ['t', 't'] }).id).toBe('2')
})

const version = (protocol: string) => ({ protocol, corrected: [], rows: STRICT_ROWS })

test('HealthBench’s instances bring rubric, tags and id; a tag named twice is a fault where its authors score by tag.', async () => {
  const row = { prompt: py(CHAT), rubrics: py([item('a')]), example_tags: py(['t', 't']), prompt_id: 'p7' }
  const data = scenarioData({ tables: { examples: [row] } })
  const load = (protocol: string) => [...healthBench(data, new Map(), version(protocol))]
  expect(load('medhelm-0.8').map(({ id, extraData }) => [id, ...(extraData ?? [])])).toEqual([
    ['0', ['rubrics', row.rubrics], ['example_tags', ['t', 't']], ['prompt_id', 'p7']],
  ])
  expect(await problemOf(() => load('health-bench'))).toMatchObject({ code: 'benchmarks/json-rows' })
})

test('The professional ones bring the physician’s answer, and what is known of each.', () => {
  const facts = { specialty: 'skin', use_case: 'advice', difficulty: 'hard', type: 'red' }
  const row = { conversation: py({ messages: CHAT }), rubric_items: py([item()]), id: 'p8', ...facts }
  const examples = [{ ...row, physician_response: 'Hello.' }, row]
  const drafts = [...professional(scenarioData({ tables: { examples } }), new Map(), version('medhelm-0.8'))]
  expect(drafts.map(({ extraData }) => [...(extraData ?? [])].slice(1))).toEqual([
    [
      ['prompt_id', 'p8'],
      ['physician_response', 'Hello.'],
    ],
    [
      ['prompt_id', 'p8'],
      ['physician_response', ''],
    ],
  ])
  expect(drafts[0]).toMatchObject({ attributes: facts, input: { messages: py(CHAT) } })
})
