import { expect, test } from 'vitest'
import { abortableCalls } from '../../../models/calls/client.ts'

test('A call is given up with its signal, once, and not after its end.', () => {
  const under = new AbortController()
  const calls = abortableCalls()
  const told: string[] = []
  const begin = (name: string) => calls.begin(under.signal, () => told.push(name))
  const [ended, alone, running] = [begin('ended'), begin('alone'), begin('running')]
  ended.end()
  alone.abort()
  expect([told, ended.signal.aborted, alone.signal.aborted, running.signal.aborted]).toEqual([
    ['alone'],
    false,
    true,
    false,
  ])
  under.abort()
  expect([told, ended.signal.aborted, running.signal.aborted]).toEqual([['alone', 'running'], false, true])
  expect([begin('late').signal.aborted, told.at(-1)]).toEqual([true, 'late'])
})
