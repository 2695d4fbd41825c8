import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import { writeProblem } from '../../../cache/store-problems.ts'
import type { Store } from '../../../cache/store.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import type { Json } from '../../../cache/values/json.ts'
import { completionRequest } from '../../../targets/adapters/prompt.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import type { Target } from '../../../targets/record/target.ts'
import { completionPlace } from '../../../targets/stages/ask.ts'
import { judgeRequest } from '../../../targets/stages/judge.ts'
import { importReplies, loadReplies, replyFacts, replyLines } from '../../../tools/release/replies.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sampleState } from '../helm/sample-run.ts'
import { deploymentOf } from '../../rig/model-calls.ts'

const deployed = (name: string): Target['deployment'] =>
  deploymentOf('medmake.baseline', { name }, { name, modelName: name })
const JUDGES = ['j/one', 'j/two']
const TARGET = {
  spec: { benchmark: { jury: { annotator: 'jury' } } },
  deployment: deployed('m/a'),
  judges: JUDGES.map((name) => ({ judge: { name }, deployment: deployed(name) })),
} as unknown as Target

const stateOf = (prompt: string, judged?: string | null): RequestState => {
  const { annotations: _, ...state } = sampleState('id0')
  return {
    ...state,
    request: { ...state.request, prompt },
    ...(judged === undefined ? {} : { annotations: new Map([['jury', new Map([['prompt_text', judged]])]]) }),
  }
}
const answerKey = (prompt: string): string =>
  completionPlace(TARGET.deployment, completionRequest(stateOf(prompt).request)).digest
const judgeKey = (judge: string, prompt: string): string =>
  completionPlace(deployed(judge), judgeRequest(prompt)).digest
const reply = (text: string, more = {}): Json => ({
  key: { text },
  reply: { choices: [{ text, finishReason: null }] },
  requestTime: 1,
  requestDatetime: 2,
  attempts: 1,
  ...more,
})
const storeOf = async (replies: Readonly<Record<string, Json>>) => {
  const store = memoryStore()
  for (const [id, value] of Object.entries(replies)) await store.put('completions', id, value)
  return store
}

describe('The replies that a release holds of a run', () => {
  test('are each answer and each judge’s reply to it, once, in the order in which they are needed.', async () => {
    const store = await storeOf({
      [judgeKey('j/two', 'grade 1')]: reply('two of 1'),
      [judgeKey('j/one', 'grade 1')]: reply('one of 1'),
      [answerKey('q2')]: reply('answer 2'),
      [answerKey('q1')]: reply('answer 1'),
      [answerKey('of another run')]: reply('not of this run'),
      [judgeKey('j/one', 'of another run')]: reply('not of this run'),
    })
    const states = [stateOf('q1', 'grade 1'), stateOf('q2', null), stateOf('q1', 'grade 1'), stateOf('q3')]
    const lines = [...replyLines(TARGET, states, store)]
    expect(lines.every((line) => line.endsWith('}\n'))).toBe(true)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { digest: answerKey('q1'), stored: reply('answer 1') },
      { digest: judgeKey('j/one', 'grade 1'), stored: reply('one of 1') },
      { digest: judgeKey('j/two', 'grade 1'), stored: reply('two of 1') },
      { digest: answerKey('q2'), stored: reply('answer 2') },
    ])
    const spec = { benchmark: {} } as Target['spec']
    expect([...replyLines({ ...TARGET, spec }, states, store)]).toHaveLength(2)
  })

  test('are of graders those to every item and every asking; of a request without a reply none.', async () => {
    const jury = { annotator: 'jury', template: '<<rubric_item>>', grading: { style: 'health-bench' } }
    const target = { ...TARGET, spec: { benchmark: { jury } } } as unknown as Target
    const { result, ...state } = stateOf('q1')
    const item = (criterion: string) =>
      new Map<string, PyValue>([
        ['criterion', criterion],
        ['points', 1],
      ])
    const extraData = new Map([['rubrics', [item('is short'), item('is kind')]]])
    const asked = { ...state, instance: { ...state.instance, extraData } }
    const everything = { ...memoryStore(), get: () => reply('any') } as unknown as Store
    expect([...replyLines(target, [{ ...asked, ...(result && { result }) }], everything)]).toHaveLength(
      1 + 2 * 2 * 5,
    )
    expect([...replyLines(target, [asked], everything)]).toHaveLength(1)
  })

  test('tell when the last call was made, of a judge as of the model.', async () => {
    const store = await storeOf({
      [answerKey('q1')]: reply('answer 1', { requestDatetime: 7 }),
      [answerKey('q2')]: reply('answer 2', { requestDatetime: 3 }),
      [judgeKey('j/two', 'grade 1')]: reply('two of 1', { requestDatetime: 9 }),
      [judgeKey('j/two', 'of another run')]: reply('not of this run', { requestDatetime: 11 }),
    })
    const newestIn = (...states: RequestState[]) => replyFacts(TARGET, states, store).newestCall
    expect(newestIn(stateOf('q1', 'grade 1'), stateOf('q2'))).toBe(9)
    expect(newestIn(stateOf('q1'), stateOf('q2'))).toBe(7)
    expect(newestIn(stateOf('q3'))).toBe(0)
  })

  test('are told apart from those that were taken from published files, by who gave them.', async () => {
    const imported = { imported: true }
    const replies = {
      [answerKey('q1')]: reply('answer 1', imported),
      [answerKey('q2')]: reply('answer 2'),
      [judgeKey('j/one', 'grade 1')]: reply('one of 1', imported),
      [judgeKey('j/two', 'grade 1')]: reply('two of 1', imported),
    }
    const states = [stateOf('q1', 'grade 1'), stateOf('q2')]
    const importedIn = (...from: Parameters<typeof replyFacts>) => replyFacts(...from).imported
    expect(importedIn(TARGET, states, await storeOf(replies))).toEqual({ answers: 1, judgements: 2 })
    expect(importedIn(TARGET, [stateOf('q2')], await storeOf(replies))).toBeUndefined()
    const judged = { [judgeKey('j/one', 'grade 1')]: reply('one of 1', imported) }
    expect(importedIn(TARGET, states, await storeOf(judged))).toEqual({ answers: 0, judgements: 1 })
  })
})

describe('A file of replies', () => {
  const fileOf = (...lines: readonly string[]): string => {
    const file = join(temporaryFolder(), 'replies.jsonl')
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    return file
  }
  const line = (stored: Json, digest: string): string => JSON.stringify({ digest, stored })
  const idOf = (text: string): string => digestJson({ text })

  test('is loaded whole; none is no reply.', async () => {
    const store = memoryStore()
    expect(await loadReplies(fileOf(line(reply('a'), idOf('a')), line(reply('b'), idOf('b'))), store)).toBe(2)
    expect(['a', 'b'].map((text) => store.get('completions', idOf(text)))).toEqual([reply('a'), reply('b')])
    expect(await loadReplies('/nowhere/replies.jsonl', store)).toBe(0)
  })

  test('has a line a reply, whatever else ends a line to some, and however long it is.', async () => {
    const store = memoryStore()
    const texts = ['a\u2028b\u2029c\u0085', '\u2028'.repeat(100_000), 'd']
    const file = fileOf(...texts.map((text) => line(reply(text), idOf(text))))
    expect(await loadReplies(file, store)).toBe(3)
    expect(texts.map((text) => store.get('completions', idOf(text)))).toEqual(
      texts.map((text) => reply(text)),
    )
  })

  test('is refused at the line that is none, by its number.', async () => {
    const file = fileOf(line(reply('a'), idOf('a')), '{"digest": "two", ')
    expect(await problemOf(() => loadReplies(file, memoryStore()))).toMatchObject({
      code: 'release/bad-replies',
      where: { file, line: 2 },
    })
  })

  const choice = { text: 'a', finishReason: null }
  test.each([
    ['a number for an answer', { choices: [{ ...choice, text: 5 }] }],
    ['a list for an answer', { choices: [{ ...choice, text: ['a'] }] }],
    ['no list of answers', { choices: 'a' }],
    ['no answer', { choices: [] }],
    ['half a surrogate pair', { choices: [{ ...choice, text: 'a\ud800' }] }],
    ['more answers than were asked for', { choices: [choice, choice] }],
    ['less than no tokens', { choices: [choice], usage: { inputTokens: -1, outputTokens: 2 } }],
    ['a text for tokens', { choices: [choice], usage: { inputTokens: '1', outputTokens: 2 } }],
    ['no text for thoughts', { choices: [{ ...choice, thinking: {} }] }],
    ['a reason that is none', { choices: [{ ...choice, finishReason: {} }] }],
    ['a log probability that is none', { choices: [{ ...choice, tokens: [{ text: 'a', logprob: '0' }] }] }],
  ])('is refused where it has %s, and nothing of that reply is kept.', async (_, odd) => {
    const store = memoryStore()
    const key = { sampling: '{"n":1}' }
    const stored = { ...(reply('a') as object), key, reply: odd }
    const file = fileOf(line(reply('b'), idOf('b')), line(stored, digestJson(key)))
    expect(await problemOf(() => importReplies(file, store))).toMatchObject({
      code: 'release/bad-replies',
      where: { line: 2 },
    })
    expect([...store.entries('completions')].map(({ id }) => id)).toEqual([idOf('b')])
    const good = { ...stored, reply: { choices: [choice] } }
    expect(await importReplies(fileOf(line(good, digestJson(key))), store)).toBe(1)
  })

  test('is refused where its bytes are no text, by whichever of them it ends.', async () => {
    for (const bytes of [Buffer.from(line(reply('é'), idOf('é')), 'latin1'), Buffer.of(0xc3)]) {
      const file = join(temporaryFolder(), 'replies.jsonl')
      writeFileSync(file, bytes)
      expect(await problemOf(() => loadReplies(file, memoryStore()))).toMatchObject({
        code: 'release/bad-replies',
        where: { line: 1 },
      })
    }
  })

  test('is refused by the very line that is no text, and what stands before it is kept.', async () => {
    const good = ['a', 'é', '\ufeffb'].map((text) => `${line(reply(text), idOf(text))}\n`)
    const file = join(temporaryFolder(), 'replies.jsonl')
    writeFileSync(file, Buffer.concat([Buffer.from(good.join('')), Buffer.of(0x22, 0xff, 0x22)]))
    const store = memoryStore()
    expect(await problemOf(() => loadReplies(file, store))).toMatchObject({ where: { line: 4 } })
    expect([...store.entries('completions')]).toHaveLength(3)
    expect(await loadReplies(fileOf(good.join('').trimEnd()), memoryStore())).toBe(3)
  })

  test('is not blamed for a store that takes nothing.', async () => {
    const full = writeProblem('/store', Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    const store = { ...memoryStore(), has: () => false, put: () => Promise.reject(full) }
    const file = fileOf(line(reply('a'), idOf('a')))
    await expect(importReplies(file, store)).rejects.toBe(full)
  })

  test('is imported as such where the store lacks a reply; what was paid for stays as it is.', async () => {
    const own = reply('a', { requestTime: 9 })
    const store = await storeOf({ [idOf('a')]: own })
    expect(await importReplies(fileOf(line(reply('a'), idOf('a')), line(reply('b'), idOf('b'))), store)).toBe(
      1,
    )
    expect(store.get('completions', idOf('a'))).toEqual(own)
    expect(store.get('completions', idOf('b'))).toEqual(reply('b', { attempts: 0, imported: true }))
  })

  test.each([
    ['imported', importReplies],
    ['replayed', loadReplies],
  ])('is refused when %s where a reply stands under a key that is not its own.', async (_, load) => {
    const store = memoryStore()
    const file = fileOf(line(reply('a'), idOf('b')))
    const problem = await problemOf(() => load(file, store))
    expect(problem?.message).toContain('its key is another')
    expect([...store.entries('completions')]).toEqual([])
  })
})
