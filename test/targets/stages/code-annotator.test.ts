import { expect, test } from 'vitest'
import type { AnnotatorCode } from '../../../benchmarks/scenario/annotator-code.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { KeptStore } from '../../../targets/env/env.ts'
import { codeAnnotator } from '../../../targets/stages/code-annotator.ts'

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
