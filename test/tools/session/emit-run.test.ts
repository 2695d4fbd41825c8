import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emitRun, isEmitted, requirePlace } from '../../../tools/session/emit-run.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import {
  madeUpInstances,
  madeUpRun,
  madeUpTarget,
  textReply,
  type MadeUpTarget,
} from '../../rig/made-up-run.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const instances = madeUpInstances([['one', 'a']])

const emitted = async (more: Partial<MadeUpTarget> = {}) => {
  const { env } = await madeUpRun(() => textReply('a'))
  const [result] = await buildTargets([madeUpTarget({ instances, ...more })], env)
  if (result === undefined) throw new Error('nothing was built')
  const directory = join(temporaryFolder(), 'runs/all/letters')
  return { env, result, directory, emit: () => emitRun(directory, result, env) }
}

test('A run’s files are written once, and anew where one was edited or its benchmark is declared in other words', async () => {
  const { env, result, directory, emit } = await emitted()
  expect([await emit(), await emit()]).toEqual([true, false])
  expect(isEmitted(directory, result, env.records)).toBe(true)
  const file = join(directory, 'stats.json')
  const written = readFileSync(file, 'utf8')
  writeFileSync(file, '[]')
  expect(isEmitted(directory, result, env.records)).toBe(false)
  expect([await emit(), readFileSync(file, 'utf8')]).toEqual([true, written])
  const { spec } = result.target
  const scenario = { ...spec.benchmark.scenario, description: 'Other words.' }
  const benchmark = { ...spec.benchmark, scenario }
  const reworded = { ...result, target: { ...result.target, spec: { ...spec, benchmark } } }
  expect(isEmitted(directory, reworded, env.records)).toBe(false)
})

test('A run that is read otherwise does not take the files of one of its name', async () => {
  const { env, result, directory, emit } = await emitted()
  await emit()
  const other = { ...result, record: { ...result.record, profile: 'medhelm-0.8' as const } }
  expect(await problemOf(() => emitRun(directory, { ...other, digest: 'x' as never }, env))).toMatchObject({
    code: 'runs/other-reading',
  })
  expect(await emit()).toBe(false)
})

test.skipIf(process.platform === 'win32')(
  'Files of texts that are not public are their owner’s alone',
  async () => {
    for (const [access, mode] of [
      ['public', 0],
      ['gated', 0o077],
      ['private', 0o077],
    ] as const) {
      const { directory, emit } = await emitted({ access })
      await emit()
      expect(statSync(directory).mode & mode).toBe(0)
      expect(statSync(join(directory, '.medmake-reading.json')).mode & mode).toBe(0)
    }
  },
)

test('A place where no folder can be made is told before anything is paid for', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => requirePlace(join(file, 'run'))).toThrow(/ENOTDIR|EEXIST/)
  expect(() => requirePlace(join(temporaryFolder(), 'run'))).not.toThrow()
})
