import { expect, test } from 'vitest'
import type { Digest } from '../../../cache/values/digest.ts'
import { changedTargets, type KeyedTarget } from '../../../targets/scheduler/changed-targets.ts'
import { madeUpTarget } from '../../rig/made-up-run.ts'

/** A run of a model on a benchmark, in a suite; `digest` stands for all that makes it. */
const run = (name: string, digest: string, { suite = 's', benchmark = 'ward', model = 'm/a' } = {}) => {
  const target = madeUpTarget({ instances: [], model })
  const spec = { ...target.spec, name, benchmark: { ...target.spec.benchmark, name: benchmark } }
  const key = { digest: digest as Digest<'target'> } as KeyedTarget['key']
  return { suite, target: { ...target, spec }, key }
}

test('runs of another key changed, one by one, each beside the base’s run of that name and suite', () => {
  const base = [run('x', '1', { suite: 'old' }), run('x', '2'), run('y', '3'), run('gone', '4')]
  const head = [run('y', '3'), run('x', '5'), run('new', '6')]
  const { changed, removed, total } = changedTargets(head, base)
  expect(changed).toEqual([{ head: head[1], base: base[1] }, { head: head[2] }])
  expect([removed, total]).toEqual([['gone'], 3])
  expect(changedTargets([run('x', '5', { suite: 'renamed' })], base).changed[0]?.base).toBe(base[0])
})

test('a run under another suite’s name did not change, and one of two suites changed once', () => {
  const base = [run('x', '1', { suite: 'old' })]
  expect(changedTargets([run('x', '1')], base)).toEqual({ changed: [], beside: [], removed: [], total: 1 })
  const twice = [run('x', '2'), run('x', '2', { suite: 'other' })]
  expect(changedTargets(twice, base)).toMatchObject({ changed: [{ head: twice[0] }], total: 1 })
})

test('beside what changed stand the runs that did not, of the same model, benchmark and suite of today', () => {
  const elsewhere = [
    run('of b', '3', { model: 'm/b' }),
    run('clinic', '4', { benchmark: 'clinic' }),
    run('x other', '5', { suite: 'other' }),
  ]
  const base = [run('x', '1'), run('x trial', '2', { suite: 'old' }), ...elsewhere]
  const head = [run('x', '9'), run('x trial', '2'), ...elsewhere]
  expect(changedTargets(head, base).beside).toEqual([{ ...base[1], suite: 's' }])
})
