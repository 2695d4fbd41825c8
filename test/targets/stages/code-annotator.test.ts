import { expect, test } from 'vitest'
import type { AnnotatorCode } from '../../../benchmarks/scenario/metric-code.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { KeptStore, StageEnv } from '../../../targets/env/env.ts'
import { codeAnnotatorKey } from '../../../targets/keys/keys.ts'
import { createAnnotationStage } from '../../../targets/stages/annotations.ts'
import { codeAnnotator } from '../../../targets/stages/code-annotator.ts'
import { madeUpTarget } from '../../rig/made-up-run.ts'

const instance = (question: string): Instance => ({
  input: { text: question },
  references: [{ text: 'warfarin', tags: ['correct'] }],
  split: 'test',
  id: 'id0',
})
const FIRST = instance('Which medicine is stopped?')
const SECOND = instance('Which one is begun?')

/** Notes each answer that it is asked about. */
const length = (asked: string[], digest = 'c'): AnnotatorCode => ({
  id: 'length',
  digest: digest.repeat(64) as Digest<'code'>,
  files: [],
  args: new Map(),
  fields: [{ name: 'characters', type: 'number', least: 0, most: null, nullable: false }],
  timeout: 60,
  annotate: ({ completion }) => {
    asked.push(completion)
    return { characters: completion.length }
  },
})

test('A workspace’s annotator is asked anew for another answer, another instance or other code, and for nothing else.', async () => {
  const asked: string[] = []
  const env = { store: memoryStore() as KeptStore, stop: new AbortController().signal }
  const annotator = codeAnnotator(length(asked), env)
  const found = async (instance: Instance, answer: string, own = annotator) => {
    const [annotation] = await own.run(instance, answer)
    const { cached, digest } = annotation ?? {}
    return [cached, own.assemble(instance, answer, [digest]).get('length')]
  }
  const of = (characters: number) => new Map([['characters', characters]])
  expect(await found(FIRST, 'warfarin')).toEqual([false, of(8)])
  expect(await found(FIRST, 'aspirin')).toEqual([false, of(7)])
  expect(await found(SECOND, 'warfarin')).toEqual([false, of(8)])
  for (const answer of ['warfarin', 'aspirin'])
    expect(await found(FIRST, answer)).toEqual([true, of(answer.length)])
  expect(annotator.peek(FIRST, 'aspirin')).toMatchObject([{ isKnown: true, isStored: true }])
  expect(annotator.peek(SECOND, 'aspirin')).toMatchObject([{ isKnown: false, isStored: false }])
  expect(await found(FIRST, 'warfarin', codeAnnotator(length(asked, 'd'), env))).toEqual([false, of(8)])
  expect(asked).toEqual(['warfarin', 'aspirin', 'warfarin', 'warfarin'])
})

test('It is given the instance, the answer and its arguments as plain values.', async () => {
  const env = { store: memoryStore() as KeptStore, stop: new AbortController().signal }
  const given: unknown[] = []
  const annotate: AnnotatorCode['annotate'] = (input) => {
    given.push(input)
    return { characters: 1 }
  }
  const args = new Map<string, PyValue>([
    ['least', float(2)],
    ['units', ['mg', float(0.5), 3n]],
  ])
  await codeAnnotator({ ...length([]), args, annotate }, env).run(FIRST, 'aspirin')
  expect(given).toEqual([
    {
      input: 'Which medicine is stopped?',
      references: [{ text: 'warfarin', correct: true }],
      extra: {},
      split: 'test',
      completion: 'aspirin',
      args: { least: 2, units: ['mg', 0.5, '3'] },
    },
  ])
})

test('One object that it fills anew for each answer is each answer’s own.', async () => {
  const env = { store: memoryStore() as KeptStore, stop: new AbortController().signal }
  const shared = { characters: 0 }
  const code = {
    ...length([]),
    annotate: async ({ completion }: { readonly completion: string }) =>
      Object.assign(shared, { characters: completion.length }),
  }
  const annotator = codeAnnotator(code, env)
  const all = await Promise.all(['a', 'ab', 'abc'].map((answer) => annotator.run(FIRST, answer)))
  expect(all.map(([said]) => said?.outcome)).toEqual(
    [1, 2, 3].map((count) => ({ kind: 'done', value: new Map([['characters', count]]) })),
  )
})

test('What it throws is kept, but for what may succeed later: out of time, stopped, or where it says so.', async () => {
  const stop = new AbortController()
  const env = { store: memoryStore() as KeptStore, stop: stop.signal }
  const run = async (
    annotate: AnnotatorCode['annotate'],
    digest: string,
    more: Partial<AnnotatorCode> = {},
  ) => {
    let times = 0
    const code = {
      ...length([], digest),
      ...more,
      annotate: () => ((times += 1), annotate({} as never, stop.signal)),
    }
    const [first] = await codeAnnotator(code, env).run(FIRST, 'warfarin')
    const [again] = await codeAnnotator(code, env).run(FIRST, 'warfarin')
    expect(again?.outcome).toEqual(first?.outcome)
    const { outcome, retriable, digest: kept } = first ?? {}
    return [
      outcome?.kind === 'failed' && outcome.cause.code,
      retriable,
      kept !== undefined,
      again?.cached,
      times,
    ]
  }
  const thrown = (more: object) => (): never => {
    throw Object.assign(new Error('no'), more)
  }
  const never = () => new Promise(() => undefined)
  expect(await run(thrown({}), '1')).toEqual(['annotators/code', false, true, true, 1])
  expect(await run(thrown({ retriable: false }), '2')).toEqual(['annotators/code', false, true, true, 1])
  expect(await run(thrown({ retriable: true }), '3')).toEqual(['annotators/code', true, false, false, 2])
  expect(await run(() => ({ characters: 'many' }), '4')).toEqual([
    'annotators/code-form',
    false,
    true,
    true,
    1,
  ])
  // Its name may be a word of the answer.
  const stray = await run(() => ({ characters: 1, Jones: 1 }), '7')
  expect(stray[0]).toBe('annotators/code-value')
  expect(await run(never, '5', { timeout: 0.01 })).toEqual(['annotators/timeout', true, false, false, 2])
  stop.abort()
  expect(await run(never, '6')).toEqual(['call/aborted', true, false, false, 0])
})

test('Its arguments are among what its results are kept under.', () => {
  const key = (args: AnnotatorCode['args']): string =>
    JSON.stringify(codeAnnotatorKey({ ...length([]), args }))
  expect(key(new Map([['least', 1]]))).not.toBe(key(new Map([['least', 2]])))
})

test.each<[string, () => unknown]>([
  [
    'a proxy whose traps throw',
    () =>
      new Proxy(
        {},
        {
          has: () => {
            throw new Error('a trap')
          },
          getPrototypeOf: () => {
            throw new Error('another')
          },
        },
      ),
  ],
  [
    'an error whose fields throw',
    () =>
      Object.defineProperty(new Error('told'), 'retriable', {
        get: () => {
          throw new Error('not told')
        },
      }),
  ],
])('%s is a cause like any other, and is not asked again', async (_, thrown) => {
  const env = { store: memoryStore() as KeptStore, stop: new AbortController().signal }
  const code: AnnotatorCode = {
    ...length([]),
    annotate: () => {
      throw thrown()
    },
  }
  const [first] = await codeAnnotator(code, env).run(FIRST, 'an answer')
  expect(first).toMatchObject({
    retriable: false,
    cached: false,
    outcome: { kind: 'failed', cause: { code: 'annotators/code' } },
  })
  const [again] = await codeAnnotator(code, env).run(FIRST, 'an answer')
  expect(again).toMatchObject({ cached: true })
})

test('Of several annotators each has its own columns, and what it says stands under its name.', async () => {
  const first: AnnotatorCode = {
    ...length([], 'e'),
    id: 'first',
    annotate: ({ completion }) => ({ characters: completion.indexOf('f') }),
  }
  const { spec, ...target } = madeUpTarget({ instances: [] })
  const benchmark = { ...spec.benchmark, ownAnnotators: [length([]), first] }
  const env = { store: memoryStore(), stop: new AbortController().signal } as unknown as StageEnv
  const stage = await createAnnotationStage({ ...target, spec: { ...spec, benchmark } }, env)
  if (stage === undefined) throw new Error('there are annotators')
  const judgements = await stage.run(FIRST, 'warfarin')
  expect([stage.columns, judgements.map(({ judge }) => judge)]).toEqual([2, ['length', 'first']])
  const digests = judgements.map(({ digest }) => digest)
  expect(stage.assemble(FIRST, 'warfarin', digests)).toEqual(
    new Map([
      ['length', new Map([['characters', 8]])],
      ['first', new Map([['characters', 3]])],
    ]),
  )
})
