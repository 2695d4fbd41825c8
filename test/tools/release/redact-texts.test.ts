import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HelmRequestState } from '../../../tools/helm/forms/request-state.ts'
import { openRunFolder, writeRun } from '../../../tools/helm/write/write-run.ts'
import { QuestionDigests } from '../../../tools/helm/question-digests.ts'
import { readRequestStates } from '../../../tools/helm/read-run.ts'
import { redactKeys, redactRun } from '../../../tools/release/redact.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sampleRun, sampleState } from '../helm/sample-run.ts'

/** In every text of a state that tells of a patient, an answer or a judge. */
const SECRET = 'Ms. Poe'

const run = sampleRun()
const folder = join(temporaryFolder(), run.runSpec.name)
const { request, result, instance, ...state } = sampleState('id7')
/** Whose request failed for good. */
const { result: _result, outputMapping: _mapping, annotations: _annotations, ...lost } = sampleState('id8')
const chat = [
  new Map([
    ['role', 'user'],
    ['content', SECRET],
  ]),
]
await writeRun(await openRunFolder(folder, { access: 'public' }), {
  ...run,
  states: () => [
    {
      ...state,
      instance: {
        ...instance,
        input: { text: SECRET, messages: chat },
        references: [{ text: SECRET, tags: ['correct', 'dosage'] }],
        contrastInputs: [SECRET],
        contrastReferences: [SECRET],
        extraData: new Map([['note', SECRET]]),
      },
      outputMapping: new Map([['A', SECRET]]),
      request: { ...request, prompt: SECRET, messages: chat, multimodalPrompt: [SECRET] },
      result: {
        ...result,
        success: true,
        cached: false,
        requestTime: 0.25,
        requestDatetime: 9,
        completions: [
          {
            text: SECRET,
            logprob: -1.5,
            tokens: [{ text: SECRET, logprob: -1.5 }],
            finishReason: 'length',
            multimodalContent: SECRET,
            thinking: SECRET,
          },
        ],
        error: SECRET,
      },
      annotations: new Map([
        [
          'jury',
          new Map<string, unknown>([
            ['prompt_text', SECRET],
            [
              'one',
              new Map([
                [
                  'tone',
                  new Map<string, unknown>([
                    ['explanation', SECRET],
                    ['score', 4],
                  ]),
                ],
              ]),
            ],
            ['quotes', [SECRET]],
          ]),
        ],
      ]) as NonNullable<typeof state.annotations>,
    },
    lost,
  ],
})
const PAGE = [
  {
    id: 'id7',
    text: SECRET,
    prompt: SECRET,
    predicted_text: SECRET,
    mapped_output: SECRET,
    thinking_text: SECRET,
    explanation: SECRET,
    prompt_text: SECRET,
    messages: [{ content: SECRET }],
    extra_data: { age: SECRET },
    contrast_inputs: [SECRET],
    contrast_references: [SECRET],
    multimodal_prompt: SECRET,
    multimedia_content: SECRET,
    annotations: { own: { quote: [SECRET], score: 3 } },
    base64_images: [SECRET],
    tokens: 12,
    deep: [{ text: SECRET, train: null }],
  },
]
for (const name of ['display_predictions.json', 'display_requests.json', 'instances.json'])
  writeFileSync(join(folder, name), JSON.stringify(PAGE))

const statesOf = async (directory: string): Promise<readonly HelmRequestState[]> => {
  const states: HelmRequestState[] = []
  for await (const each of readRequestStates(directory)) states.push(each)
  return states
}

const redacted = async (texts: boolean) => {
  const copy = join(temporaryFolder(), 'run')
  cpSync(folder, copy, { recursive: true })
  const rewritten = await redactRun(copy, texts)
  return { rewritten, read: (file: string): string => readFileSync(join(copy, file), 'utf8'), copy }
}

test('With texts no file of a run keeps any, and what is no text stays.', async () => {
  const { rewritten, read, copy } = await redacted(true)
  expect(rewritten.toSorted()).toEqual([
    'display_predictions.json',
    'display_requests.json',
    'instances.json',
  ])
  for (const file of readdirSync(copy)) expect(read(file), file).not.toContain(SECRET)
  const states = await statesOf(copy)
  expect(states).toMatchObject([
    {
      instance: {
        id: 'id7',
        split: 'test',
        input: { text: '[redacted]' },
        references: [{ text: '[redacted]', tags: ['correct', 'dosage'] }],
        extraData: new Map(),
      },
      outputMapping: new Map([['A', '[redacted]']]),
      request: { prompt: '[redacted]', model: 'a/b' },
      result: {
        completions: [{ text: '[redacted]', logprob: -1.5, tokens: [], finishReason: 'length' }],
        error: '[redacted]',
        requestDatetime: 9,
      },
    },
    { instance: { id: 'id8' }, request: { prompt: '[redacted]' } },
  ])
  expect(states[0]?.annotations?.get('jury')).toEqual(
    new Map<string, unknown>([
      ['prompt_text', '[redacted]'],
      [
        'one',
        new Map([
          [
            'tone',
            new Map<string, unknown>([
              ['explanation', '[redacted]'],
              ['score', 4],
            ]),
          ],
        ]),
      ],
      ['quotes', ['[redacted]']],
    ]),
  )
  for (const gone of ['result', 'outputMapping', 'annotations']) expect(states[1]).not.toHaveProperty(gone)
  expect(JSON.parse(read('instances.json'))).toEqual([
    {
      ...Object.fromEntries(
        Object.entries(PAGE[0] ?? {}).flatMap(([key, value]) =>
          value === SECRET ? [[key, '[redacted]']] : [],
        ),
      ),
      multimodal_prompt: undefined,
      multimedia_content: undefined,
      id: 'id7',
      annotations: { own: { quote: ['[redacted]'], score: 3 } },
      base64_images: ['[redacted]'],
      tokens: 12,
      deep: [{ text: '[redacted]', train: null }],
    },
  ])
})

test('Without, judges’ prompts and explanations alone go.', async () => {
  const { read, copy } = await redacted(false)
  const [first, second] = await statesOf(copy)
  const [before, after] = await statesOf(folder)
  const jury = (first?.annotations?.get('jury') ?? new Map()) as ReadonlyMap<string, unknown>
  expect(jury.get('prompt_text')).toBe('[redacted]')
  expect(
    JSON.stringify(
      [...(jury.get('one') as ReadonlyMap<string, ReadonlyMap<string, unknown>>).values()].map((each) => [
        ...each,
      ]),
    ),
  ).toBe('[[["explanation","[redacted]"],["score",4]]]')
  expect(jury.get('quotes')).toEqual([SECRET])
  expect({ ...first, annotations: before?.annotations }).toEqual(before)
  expect(second).toEqual(after)
  expect(JSON.parse(read('display_requests.json'))).toEqual([
    { ...PAGE[0], explanation: '[redacted]', prompt_text: '[redacted]' },
  ])
})

test('Redacted questions are known again by id and tags, and only among the same ids.', () => {
  const digestsOf = (ids: readonly string[], tags: readonly string[] = []): ReadonlyMap<string, string> => {
    const digests = new QuestionDigests()
    for (const id of ids)
      digests.add(id, {
        ...instance,
        id,
        input: { text: '[redacted]' },
        references: [{ text: '[redacted]', tags }],
      })
    return digests.all()
  }
  const before = digestsOf(['id0', 'id1', 'id2'])
  expect(new Set(before.values()).size).toBe(3)
  expect(digestsOf(['id2', 'id0', 'id1']).get('id1')).toBe(before.get('id1'))
  expect(digestsOf(['id0', 'id1', 'id2'], ['correct']).get('id1')).not.toBe(before.get('id1'))
  expect(
    [...digestsOf(['id0', 'id1']).values()].filter((digest) => [...before.values()].includes(digest)),
  ).toEqual([])
})

test('A run without the files of a page gets none.', async () => {
  const copy = join(temporaryFolder(), 'run')
  cpSync(folder, copy, { recursive: true, filter: (path) => !/display_|instances/.test(path) })
  expect(await redactRun(copy, true)).toEqual([])
  expect(existsSync(join(copy, 'instances.json'))).toBe(false)
})

test('Texts under a key go, however deep; what is no text under it stays.', () => {
  const inner = new Map<string, unknown>([
    ['a', 'x'],
    ['b', 'y'],
  ])
  const value = [
    new Map<string, unknown>([
      ['a', [inner, 'z']],
      ['c', 1],
    ]),
  ]
  expect(redactKeys(value as never, new Set(['a']))).toEqual([
    new Map<string, unknown>([
      [
        'a',
        [
          new Map([
            ['a', '[redacted]'],
            ['b', 'y'],
          ]),
          'z',
        ],
      ],
      ['c', 1],
    ]),
  ])
})
