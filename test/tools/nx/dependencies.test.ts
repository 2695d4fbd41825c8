import type { ProjectConfiguration } from '@nx/devkit'
import { expect, test } from 'vitest'
import { createDependencies } from '../../../tools/nx/plugin.ts'

const project = (...tags: readonly string[]): ProjectConfiguration => ({ root: '', tags: [...tags] })

test('A pair depends on its benchmark and model as far as they are projects, and the leaderboard on each pair.', () => {
  const pairs = {
    'a--m': project('pair', 'bench:a', 'model:m', 'suite:main'),
    'gone--m': project('pair', 'bench:gone', 'model:m'),
  }
  const parts = {
    'benchmarks/a': project('benchmark', 'bench:a'),
    'models/m': project('model'),
    other: { root: '' },
  }
  const edge = (source: string, target: string): object => ({ source, target, type: 'implicit' })
  const own = [edge('a--m', 'benchmarks/a'), edge('a--m', 'models/m'), edge('gone--m', 'models/m')]
  expect(createDependencies(undefined, { projects: { ...pairs, ...parts } })).toEqual(own)
  expect(createDependencies(undefined, { projects: { ...pairs, ...parts, leaderboard: project() } })).toEqual(
    expect.arrayContaining([...own, edge('leaderboard', 'a--m'), edge('leaderboard', 'gone--m')]),
  )
})
