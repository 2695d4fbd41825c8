import { join } from 'node:path'
import { expect, test } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { chatMessage } from '../../../benchmarks/scenario/instance.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { completionPlace } from '../../../targets/stages/ask.ts'
import type { FullRequest } from '../../../tools/helm/forms/request-state.ts'
import { placeholderDeployment } from '../../../tools/release/replay/released-target.ts'
import { openRunFolder, writeRun } from '../../../tools/helm/write/write-run.ts'
import { importRun, sameJudges, type Imported } from '../../../tools/release/import/import-run.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sampleRun, sampleState } from '../helm/sample-run.ts'

/** A state whose request, result or annotations are others. */
const state = (
  id: string,
  {
    request = {},
    result = {},
    annotations,
  }: {
    request?: Partial<FullRequest>
    result?: object
    annotations?: Readonly<Record<string, PyValue>>
  } = {},
): RequestState => {
  const sample = sampleState(id)
  return {
    ...sample,
    request: { ...sample.request, prompt: `Question ${id}`, ...request },
    result: { ...sample.result, ...result },
    annotations: new Map([['jury', new Map(Object.entries(annotations ?? { prompt_text: null }))]]),
  } as RequestState
}

const judge = (name: string) => ({ name, model: `made-by/${name}`, deployment: `host/${name}` })
const score = (value: number): PyValue => new Map([['tone', new Map([['score', value]])]])

const imported = async (
  states: readonly RequestState[],
  { store = memoryStore(), deployments = [] as readonly ModelDeployment[] } = {},
): Promise<{
  tally: Imported
  store: ReturnType<typeof memoryStore>
  stored: readonly Record<string, unknown>[]
}> => {
  const run = sampleRun()
  const folder = join(temporaryFolder(), run.runSpec.name)
  await writeRun(await openRunFolder(folder, { access: 'public' }), { ...run, states: () => states })
  const registry = createRegistry([], deployments)
  const tally = await importRun(folder, { store, registry, judges: [judge('strict'), judge('mild')] })
  const stored = [...store.entries('completions')].map(
    ({ id }) => store.get('completions', id) as Record<string, unknown>,
  )
  return { tally, store, stored }
}

test('An answer is kept with all that the file has of it, marked as imported and never as an attempt', async () => {
  const completion = {
    text: 'two',
    logprob: -1.5,
    tokens: [{ text: 'two', logprob: float(-1.5) }],
    finishReason: 'length',
    thinking: 'Hm.',
  }
  const { stored, tally } = await imported([
    state('a', { result: { completions: [completion], requestTime: 0.25, requestDatetime: 9 } }),
  ])
  expect(tally).toMatchObject({ completions: 1, judgements: 0, known: 0, skipped: new Map() })
  expect(stored).toMatchObject([
    {
      reply: {
        choices: [
          { text: 'two', finishReason: 'length', tokens: [{ text: 'two', logprob: -1.5 }], thinking: 'Hm.' },
        ],
      },
      requestTime: 0.25,
      requestDatetime: 9,
      attempts: 0,
      imported: true,
    },
  ])
})

test('An answer lies under the deployment that was asked, which the model names where the file names none', async () => {
  const { stored } = await imported([
    state('a', { request: { modelDeployment: 'host/a', model: 'made-by/a' } }),
    state('b', { request: { modelDeployment: '', model: 'made-by/b' } }),
  ])
  expect(stored.map(({ key }) => JSON.stringify(key)).toSorted()).toEqual([
    expect.stringMatching(/"deployment":"host\/a".*"a"|"a".*"deployment":"host\/a"/) as string,
    expect.stringContaining('made-by/b') as string,
  ])
})

test('Requests of other kinds than plain ones, and those without an answer, are left out and counted by their reason', async () => {
  const { tally, stored } = await imported([
    state('failed', { result: { success: false } }),
    state('empty', { result: { completions: [] } }),
    state('parts', {
      request: {
        messages: [
          new Map<string, PyValue>([
            ['role', 'user'],
            ['content', []],
          ]),
        ],
      },
    }),
    state('image', { request: { multimodalPrompt: new Map() } }),
    state('hidden', { request: { prompt: '[redacted]' } }),
    state('hidden answer', { result: { completions: [{ text: '[redacted]', logprob: 0, tokens: [] }] } }),
    state('echo', { request: { echoPrompt: true } }),
    state('vector', { request: { embedding: true } }),
    state('nucleus', { request: { topP: float(0.9) } }),
    state('presence', { request: { presencePenalty: float(0.5) } }),
    state('frequency', { request: { frequencyPenalty: float(0.5) } }),
    state('named sample', { request: { random: 'second' } }),
    state('two asked for', { request: { numCompletions: 2 } }),
    state('two given', {
      result: { completions: ['a', 'b'].map((text) => ({ text, logprob: 0, tokens: [] })) },
    }),
    state('no time', { result: { requestTime: NaN } }),
    state('never said', {
      result: {
        completions: [{ text: 'a', logprob: 0, tokens: [{ text: 'a', logprob: float(-Infinity) }] }],
      },
    }),
    state('endless', { request: { temperature: float(Infinity) } }),
    state('plain', { request: { topP: float(1), presencePenalty: 0, frequencyPenalty: float(0) } }),
  ])
  expect([...tally.skipped]).toEqual([
    ['a request has no answer', 2],
    ['a request has images', 2],
    ['a prompt or an answer is redacted', 2],
    ['a request is no plain completion', 2],
    ['a request sets top_p or penalties', 3],
    ['a request is a sample without a number', 1],
    ['a request has another number of answers than it asked for', 2],
    ['an answer has a time or log probability that is no number', 2],
    ['a request has no temperature', 1],
  ])
  expect([tally.completions, stored.length]).toEqual([1, 1])
})

test('The answer to a chat lies under the key that asking the same chat would use', async () => {
  const messages = [chatMessage('system', 'Be brief.'), chatMessage('user', 'Why do I cough?')]
  const asked = state('chat', {
    request: { prompt: '', messages, modelDeployment: 'host/a', model: 'made-by/a' },
  })
  const { tally, store } = await imported([asked])
  const deployment = placeholderDeployment(
    { deployment: 'host/a', modelString: 'a', protocol: 'chat', tokenizer: null },
    'made-by/a',
  )
  const { digest } = completionPlace(deployment, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why do I cough?' },
    ],
    temperature: 0,
    topP: 1,
    maxTokens: asked.request.maxTokens,
    stop: asked.request.stopSequences,
    n: 1,
    sampleIndex: 0,
  })
  expect([tally.completions, tally.skipped.size, store.has('completions', digest)]).toEqual([1, 0, true])
})

test('What the store has stays as it is, and counts as known', async () => {
  const first = await imported([state('a')])
  const again = await imported([state('a', { result: { requestDatetime: 1 } }), state('b')], {
    store: first.store,
  })
  expect(again.tally).toMatchObject({ completions: 1, known: 1 })
  expect(again.stored.map(({ requestDatetime }) => requestDatetime)).toEqual([1767225600, 1767225600])
})

test('A judgement is kept as its parsed reply’s JSON, asked of the judge that bears its name, at the answer’s date', async () => {
  const { tally, stored } = await imported([
    state('a', {
      result: { success: false, requestTime: 3, requestDatetime: 9 },
      annotations: {
        prompt_text: 'Judge this.',
        empty_output_equivalence_judgement: false,
        strict: score(4),
        mild: score(5),
        unheard: score(1),
        broken: null,
      },
    }),
  ])
  expect(tally).toMatchObject({ completions: 0, judgements: 2, known: 0 })
  expect([...tally.skipped]).toEqual([
    ['a request has no answer', 1],
    ['nothing says which model the judge unheard is', 1],
    ['nothing says which model the judge broken is', 1],
  ])
  expect(stored.map(({ reply }) => reply)).toEqual(
    expect.arrayContaining(
      [4, 5].map((value) => ({
        choices: [{ text: `{"tone": {"score": ${value}}}`, finishReason: null }],
      })),
    ) as unknown,
  )
  expect(stored.map(({ requestTime, requestDatetime }) => [requestTime, requestDatetime])).toEqual([
    [0, 9],
    [0, 9],
  ])
  const keys = stored.map(({ key }) => JSON.stringify(key))
  expect(keys.filter((key) => key.includes('host/strict'))).toHaveLength(1)
  expect(keys.filter((key) => key.includes('host/mild'))).toHaveLength(1)
})

test('A judgement that can’t be asked for again is left out: redacted, no object, or of single items', async () => {
  const { tally } = await imported([
    state('a', { annotations: { prompt_text: '[redacted]', strict: score(4) } }),
    state('b', { annotations: { prompt_text: 'Judge this.', strict: 'unreadable' } }),
    state('c', { annotations: { strict: score(4) } }),
    state('d', { annotations: { prompt_text: null } }),
  ])
  expect([...tally.skipped]).toEqual([
    ['a judge prompt is redacted', 1],
    ['a reply of strict is no object', 1],
    ['judges graded single items, whose prompts the files do not hold', 1],
  ])
  expect(tally).toMatchObject({ completions: 4, judgements: 0 })
})

test('An emoji that was cut in two, in a prompt, an answer or what a judge read, is left out and leaves the others', async () => {
  const half = 'fine \ud83d'
  const { tally, stored } = await imported([
    state('a', { result: { completions: [{ text: half, logprob: 0, tokens: [] }] } }),
    state('b', { request: { prompt: half } }),
    state('c', { annotations: { prompt_text: half, strict: score(4) } }),
    state('d', { annotations: { prompt_text: 'Judge this.', strict: score(4) } }),
  ])
  expect([...tally.skipped]).toEqual([['a text holds half of a surrogate pair', 3]])
  expect(tally).toMatchObject({ completions: 2, judgements: 1 })
  expect(stored).toHaveLength(3)
})

test('A judgement of an answer that the file lacks is kept, with no date.', async () => {
  const judged = state('a', { annotations: { prompt_text: 'Judge this.', strict: score(4) } })
  const { tally, stored } = await imported([{ ...judged, result: undefined } as unknown as RequestState])
  expect([tally.judgements, ...tally.skipped]).toEqual([1, ['a request has no answer', 1]])
  expect(stored).toMatchObject([{ requestTime: 0, requestDatetime: 0 }])
})

test('judges in another order, or of other names, are the same judges', () => {
  const [strict, mild] = [judge('strict'), judge('mild')]
  expect(sameJudges([strict, mild], [mild, { ...strict, name: 'severe' }])).toBe(true)
  expect(sameJudges([strict, mild], [mild])).toBe(false)
  expect(sameJudges([strict, mild], [mild, judge('third')])).toBe(false)
})
