import { expect, test } from 'vitest'
import { answerDigest } from '../../../targets/ratings/unit.ts'
import type { JudgedTarget } from '../../../tools/jury/judged-runs.ts'
import { keptAnswers } from '../../../tools/ratings/kept-answers.ts'
import { readingOf } from '../../../targets/jury/stored-judgements.ts'
import { viewRecord } from '../../../targets/walk/modes/read.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'

/** A run of answers; nobody judged them. `read` are the rows that were asked for. */
const runOf = (texts: readonly (string | undefined)[], read: number[], access = 'public') =>
  ({
    digest: 'record',
    reading: { jury: {}, judges: [] },
    target: { spec: { benchmark: { access } } },
    view: {
      asked: texts.map((_, row) => ({ id: row, digest: `question ${row}` })),
      state: (row: number) => {
        read.push(row)
        const text = texts[row]
        return { result: text === undefined ? undefined : { completions: [{ text }] } }
      },
    },
  }) as never

test.each(['public', 'private'])(
  'Answers of a %s run are read once, and kept where its texts lie',
  async (access) => {
    const { env, vault } = await madeUpRun(() => textReply(''))
    const texts = ['said', ' \n', undefined]
    const read: number[] = []
    const run = runOf(texts, read, access)
    const made = await keptAnswers(run, env, true)
    expect(made).toEqual([
      { answer: answerDigest('question 0', 'said'), jury: null, unrated: 'unjudged' },
      { answer: answerDigest('question 1', ' \n'), jury: null, unrated: 'empty' },
      { answer: answerDigest('question 2', ''), jury: null, unrated: 'failed' },
    ])
    expect(await keptAnswers(run, env, true)).toEqual(made)
    expect(read).toEqual([0, 1, 2])
    expect([env.open.store, vault].map((store) => [...store.entries('files')].length)).toEqual(
      access === 'public' ? [1, 0] : [0, 1],
    )
    // What was kept of fewer answers is none of these.
    expect(await keptAnswers(runOf([...texts, 'more'], read, access), env, true)).toHaveLength(4)
    expect(read).toEqual([0, 1, 2, 0, 1, 2, 3])
  },
)

test('Where nothing may be written the answers are read each time', async () => {
  const { env } = await madeUpRun(() => textReply(''))
  const read: number[] = []
  for (const _ of [1, 2]) await keptAnswers(runOf(['said'], read), env, false)
  expect(read).toEqual([0, 0])
})

test('An answer that a judge scored has that score, as it is read and as it is kept', async () => {
  const { env } = await madeUpRun((_, deployment) =>
    textReply(deployment.startsWith('j/') ? '{"accuracy": {"score": 4}}' : 'said'),
  )
  const target = madeUpTarget({ instances: madeUpInstances([['one', 'a']]), judges: ['one'] })
  const [result] = await buildTargets([target], env)
  const { jury } = target.spec.benchmark
  if (result === undefined || jury === undefined) throw new Error('nothing was judged')
  const reading = readingOf(jury, target.judges, 'helm-0.5.16')
  const view = await viewRecord(target, result, env)
  const run = { digest: result.digest, target, reading, view } as JudgedTarget
  for (const _ of ['read', 'kept'])
    expect(await keptAnswers(run, env, true)).toEqual([
      { answer: answerDigest(view.asked[0]?.digest ?? '', 'said'), jury: 4 },
    ])
})
