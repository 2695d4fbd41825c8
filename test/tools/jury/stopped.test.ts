import { expect, test } from 'vitest'
import type { Session } from '../../../tools/session/session.ts'
import { askGold } from '../../../tools/jury/gold-runs.ts'
import { askProbes } from '../../../tools/jury/probe-runs.ts'
import { askRepeats } from '../../../tools/jury/repeat-runs.ts'

test('A study that is stopped on the way tells nothing: its figures would be of some answers alone.', async () => {
  const stop = AbortSignal.abort()
  const session = { env: { stop } } as unknown as Pick<Session, 'env'>
  const judge = { name: 'j', ask: () => expect.fail('a call after the stop') }
  const side = { instance: { id: 'i', references: [{ text: 'x' }] }, answer: 'a' }
  const run = {
    benchmark: 'b',
    model: 'm',
    probe: 'lengthened',
    scale: { least: 1, most: 5 },
    judge,
    judges: [judge],
    plain: [judge],
    altered: [judge],
    instances: [side.instance],
    answers: [side],
    texts: [{ before: side, after: side, source: 's' }],
    sources: new Map(),
    scores: new Map(),
    isRanked: true,
  }
  const runs = [run, run] as never
  expect(await askGold(runs, session)).toBeUndefined()
  expect(await askProbes(runs, session)).toBeUndefined()
  expect(await askRepeats(runs, { repeats: 2 }, session)).toBeUndefined()
})
