import { expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { ItemGrading } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { envFor } from '../../../targets/env/env.ts'
import { ClientError } from '../../../models/calls/client.ts'
import { graderRequest, judgeRequest, juryPrompt } from '../../../targets/stages/judge.ts'
import { gradingAnnotator } from '../../../targets/stages/grading-annotator.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'

const [BARE] = madeUpInstances([['I have a fever.', '']])

/** A chat whose two items are worth so much. */
const chat = (first: number, second: number): Instance => {
  const items = [first, second].map((points, at) => ({ criterion: `item ${at}`, points, tags: [] }))
  const extraData = loads(JSON.stringify({ rubrics: items })) as NonNullable<Instance['extraData']>
  if (BARE === undefined) throw new Error('there is one')
  return { ...BARE, extraData }
}

const open = async (style: ItemGrading['style'], reply: (item: string) => string) => {
  const run = await madeUpRun(({ messages }) => textReply(reply(messages.at(-1)?.content ?? '')))
  const { spec, ...target } = madeUpTarget({ instances: [], judges: ['one'] })
  const { jury } = spec.benchmark
  if (jury === undefined) throw new Error('there is a jury')
  const graded = { ...jury, template: '<<conversation>> # <<rubric_item>>', grading: { style } }
  const annotator = await gradingAnnotator({ spec, ...target }, graded, await envFor(spec.benchmark, run.env))
  const scored = async (instance: Instance) => {
    const [judgement] = await annotator.run(instance, 'Rest.')
    const value = judgement?.outcome.kind === 'done' ? dumps(judgement.outcome.value) : judgement?.outcome
    return { digest: judgement?.digest, value, cached: judgement?.cached }
  }
  return { run, annotator, scored }
}

const graded = (isMet: boolean): string => `{"explanation": "so", "criteria_met": ${isMet}}`

test.each([
  ['health-bench', '"score": 0.75', '"score": 0.25'],
  ['medhelm-0.8', '"score": 0.75', '"score": 0.25'],
] as const)(
  'In the style %s grades alike are another score where items are worth otherwise.',
  async (style, most, least) => {
    const { run, annotator, scored } = await open(style, (prompt) => graded(prompt.includes('item 0')))
    const first = await scored(chat(3, 1))
    expect(first.value).toContain(most)
    expect(run.asked).toHaveLength(2)
    // Graders are shown the points, and reply word by word the same.
    expect(annotator.peek(chat(1, 3), 'Rest.')).toMatchObject([{ isKnown: false }])
    const other = await scored(chat(1, 3))
    expect(run.asked).toHaveLength(4)
    expect(other.value).toContain(least)
    expect(other.digest).not.toBe(first.digest)
    expect(await scored(chat(3, 1))).toEqual({ ...first, cached: true })
    expect(annotator.peek(chat(3, 1), 'Rest.')).toMatchObject([
      { isKnown: true, isStored: true, digest: first.digest },
    ])
  },
)

test('A grader is asked for an item until its reply can be read, five times in the authors’ style, else once.', async () => {
  const authors = await open('health-bench', () => 'Yes.')
  expect((await authors.scored(chat(3, 1))).value).toMatchObject({
    kind: 'failed',
    cause: { code: 'unparseable' },
  })
  expect(authors.run.asked).toHaveLength(10)
  // What could not be read five times is known to be unreadable.
  expect(authors.annotator.peek(chat(3, 1), 'Rest.')).toMatchObject([{ isKnown: true, isStored: true }])
  expect(authors.annotator.missing?.(chat(3, 1), 'Rest.')).toEqual([[]])
  const folded = await open('medhelm-0.8', () => 'Yes.')
  await folded.scored(chat(3, 1))
  expect(folded.run.asked).toHaveLength(2)
  let times = 0
  const third = await open('health-bench', () => ((times += 1) % 3 === 0 ? graded(true) : 'Yes.'))
  expect((await third.scored(chat(3, 0))).value).toContain('"score": 1.0')
})

test('An answer to items that give no points is asked about by nobody.', async () => {
  const { run, annotator, scored } = await open('health-bench', () => graded(true))
  expect((await scored(chat(0, -2))).value).toMatchObject({ kind: 'absent' })
  expect(annotator.missing?.(chat(0, -2), 'Rest.')).toEqual([[]])
  expect(annotator.missing?.(chat(3, 1), 'Rest.').map((own) => own.length)).toEqual([2])
  expect(annotator.assemble(chat(0, -2), 'Rest.', [undefined])).toEqual(new Map([['letters', null]]))
  expect(run.asked).toEqual([])
})

test('With one list of grades for all judges, none has a judgement while any of them may still reply.', async () => {
  let isDown = true
  const run = await madeUpRun((_, deployment) => {
    if (isDown && deployment === 'j/two')
      throw new ClientError('http/400', 'no', { retriable: false, status: 400 })
    return textReply(graded(true))
  })
  const { spec, ...target } = madeUpTarget({ instances: [], judges: ['one', 'two'] })
  const { jury } = spec.benchmark
  if (jury === undefined) throw new Error('there is a jury')
  const grading = { style: 'medhelm-0.8', comparison: '<<llm_response>> or <<physician_response>>?' } as const
  const of = { ...jury, template: '<<conversation>> # <<rubric_item>>', grading }
  const annotator = await gradingAnnotator({ spec, ...target }, of, await envFor(spec.benchmark, run.env))
  const plain = chat(3, 1)
  const instance = {
    ...plain,
    extraData: new Map([...(plain.extraData ?? []), ['physician_response', 'Sleep.']]),
  }
  const judged = async () =>
    (await annotator.run(instance, 'Rest.')).map(({ outcome, retriable, digest }) => [
      outcome.kind,
      retriable,
      digest !== undefined,
    ])
  expect(await judged()).toEqual([
    ['failed', true, false],
    ['failed', true, false],
  ])
  const known = () => annotator.peek(instance, 'Rest.').map(({ isKnown }) => isKnown)
  expect(known()).toEqual([false, false])
  isDown = false
  expect(await judged()).toEqual([
    ['done', false, true],
    ['done', false, true],
  ])
  expect(known()).toEqual([true, true])
  expect(run.asked.some((line) => line.includes('Rest. or Sleep.?'))).toBe(true)
})

test('Graders are asked as the authors ask, or as HELM asks a judge; a judge is shown the first reference.', () => {
  const plain = { temperature: 0, topP: 1, maxTokens: 4096, stop: [], n: 1, sampleIndex: 0 }
  const user = { role: 'user', content: 'Met?' }
  expect(judgeRequest('Met?')).toEqual({ ...plain, messages: [user] })
  expect(graderRequest('Met?', 'medhelm-0.8')).toEqual(judgeRequest('Met?'))
  const system = { role: 'system', content: 'You are a helpful assistant.' }
  expect(graderRequest('Met?', 'health-bench')).toEqual({
    ...plain,
    messages: [system, user],
    temperature: 0.5,
    maxTokens: 2048,
  })
  const { jury } = madeUpTarget({ instances: [], judges: ['one'] }).spec.benchmark
  if (jury === undefined || BARE === undefined) throw new Error('there is a jury')
  const references = ['first', 'second'].map((text) => ({ text, tags: [] }))
  expect(juryPrompt(jury, { ...BARE, references }, 'Rest.')).toContain('with first true')
  expect(juryPrompt(jury, { ...BARE, references: [] }, 'Rest.')).toContain('with  true')
})
