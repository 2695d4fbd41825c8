import { expect, it } from 'vitest'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Target } from '../../../targets/record/target.ts'
import { inLanes } from '../../../targets/scheduler/lanes.ts'

const target = (deployment: string, name: string, access = 'public'): Target =>
  ({ deployment: { name: deployment }, spec: { name, benchmark: { access } } }) as unknown as Target
const nameOf = ({ spec }: Target): string => spec.name

/** Works that stay open until they are told to end. */
const openWorks = () => {
  const ends = new Map<string, () => void>()
  return {
    ends,
    work: (each: Target): Promise<void> => new Promise((resolve) => ends.set(nameOf(each), resolve)),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.()
      ends.delete(name)
      // As many turns as a worker takes from one target to the next.
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    },
  }
}

const refuse = (_: Target, error: unknown): never => {
  throw error
}

it('two targets of a deployment run at a time, deployments side by side, in order', async () => {
  const { ends, work, end } = openWorks()
  const targets = ['a1', 'a2', 'a3', 'b1', 'a4'].map((name) => target(name.charAt(0), name))
  const all = inLanes(targets, { stop: new AbortController().signal }, work, refuse)
  expect([...ends.keys()]).toEqual(['a1', 'a2', 'b1'])
  await end('a2')
  expect([...ends.keys()]).toEqual(['a1', 'b1', 'a3'])
  for (const name of ['b1', 'a1', 'a3']) await end(name)
  expect([...ends.keys()]).toEqual(['a4'])
  await end('a4')
  await all
})

it('of very many deployments some wait until one is done', async () => {
  const { ends, work, end } = openWorks()
  const names = Array.from({ length: 70 }, (_, at) => `model-${at}`)
  const all = inLanes(
    names.map((name) => target(name, name)),
    { stop: new AbortController().signal },
    work,
    refuse,
  )
  expect([...ends.keys()]).toEqual(names.slice(0, 64))
  await end('model-5')
  expect([...ends.keys()]).toContain('model-64')
  expect(ends.size).toBe(64)
  for (const name of names) await end(name)
  await all
  expect(ends.size).toBe(0)
})

it('a stopped run begins no further target, and waits for those that it began', async () => {
  const stop = new AbortController()
  const { ends, work, end } = openWorks()
  let isOver = false
  const all = inLanes(
    ['a1', 'a2', 'a3'].map((name) => target('a', name)),
    { stop: stop.signal },
    work,
    refuse,
  ).finally(() => {
    isOver = true
  })
  stop.abort()
  await end('a1')
  expect([[...ends.keys()], isOver]).toEqual([['a2'], false])
  await end('a2')
  await all
  expect(ends.size).toBe(0)
})

it('an error of one target stops no other, and quotes nothing of data that is not public', async () => {
  const failed: [string, string][] = []
  const done: string[] = []
  await inLanes(
    [target('a', 'open'), target('a', 'closed', 'private'), target('a', 'fine')],
    { stop: new AbortController().signal },
    async (each) => {
      if (nameOf(each) === 'fine') done.push('fine')
      else throw new ProblemError({ code: 'x/bad', message: 'row of Ms Doe', remedy: 'Mend it.' })
    },
    (each, error) => failed.push([nameOf(each), (error as ProblemError).problems[0]?.message ?? '']),
  )
  expect(done).toEqual(['fine'])
  expect(failed[0]).toEqual(['open', 'row of Ms Doe'])
  expect(failed[1]?.[1]).not.toContain('Doe')
})

it('nothing to do is done at once', async () => {
  await inLanes([], { stop: new AbortController().signal }, refuse as never, refuse)
})
