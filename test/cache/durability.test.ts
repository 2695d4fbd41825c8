import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, test } from 'vitest'
import { digestOf } from '../../cache/values/digest.ts'
import { openStore } from '../../cache/open-store.ts'
import { repairStore } from '../../cache/repair-store.ts'
import { verifyStore } from '../../cache/verify-store.ts'
import { bundleProgram } from '../rig/bundle.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

const programs = { writer: '', claimer: '', holder: '' }

beforeAll(async () => {
  for (const name of ['writer', 'claimer', 'holder'] as const)
    programs[name] = await bundleProgram(join(import.meta.dirname, 'children', `${name}.ts`))
})

const start = (program: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })

const lines = (child: ChildProcess): NodeJS.ReadableStream => {
  if (child.stdout === null) throw new Error('no output')
  return child.stdout
}

/** Runs a writer until it has told of `count` records, kills it at once, and gives all that it told of. */
const killAfter = async (path: string, round: number, count: number): Promise<string[]> => {
  const child = start(programs.writer, path, String(round))
  const told: string[] = []
  const closed = once(child, 'close')
  for await (const line of createInterface({ input: lines(child) })) {
    told.push(line)
    if (told.length === count) child.kill('SIGKILL')
  }
  await closed
  return told
}

test('12 kills in the midst of writing lose no record that was told of', async () => {
  const path = join(temporaryFolder(), 'store')
  const told: string[] = []
  for (let round = 0; round < 12; round++) told.push(...(await killAfter(path, round, 20 + round * 61)))
  expect(told.length).toBeGreaterThan(12 * 20)
  // What the last kill left in the log alone is listed, and told of; it depends on the moment whether there is any.
  const store = await openStore({ path, onEvent: ({ type }) => expect(type).toBe('store-behind') })
  for (const id of told) expect(store.get('completions', id)).toEqual({ id, text: id.repeat(50) })
  await store.close()
  const report = await verifyStore(path)
  expect(report).toMatchObject({ sound: true, unreadable: [], unindexed: 0 })
  // The log alone brings everything back, too, and perhaps puts that were stopped halfway.
  const repaired = await repairStore(path)
  expect(repaired.records.get('completions')).toBeGreaterThanOrEqual(report.records.get('completions') ?? 0)
  const again = await openStore({ path, onEvent: (event) => expect.fail(JSON.stringify(event)) })
  for (const id of told) expect(again.has('completions', id)).toBe(true)
  await again.close()
})

test('two processes produce 2,000 results, each exactly once', async () => {
  const path = join(temporaryFolder(), 'store')
  const children = [start(programs.claimer, path, '2000'), start(programs.claimer, path, '2000')]
  const won = await Promise.all(
    children.map(async (child) => {
      let text = ''
      for await (const part of lines(child)) text += String(part)
      return Number(text)
    }),
  )
  expect(won.reduce((sum, n) => sum + n)).toBe(2000)
  const store = await openStore({ path, readOnly: true, onEvent: () => {} })
  for (let key = 0; key < 2000; key++)
    expect(children.map(({ pid }) => pid)).toContain(store.get('completions', digestOf(`key ${key}`)))
  await store.close()
})

test('the claims of a process end with it', async () => {
  const path = join(temporaryFolder(), 'store')
  const child = start(programs.holder, path)
  await once(lines(child), 'data')
  const store = await openStore({ path, onEvent: () => {} })
  expect(await store.claim(digestOf('held'))).toBeUndefined()
  await expect(verifyStore(path)).rejects.toThrow('cache/in-use')
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  const claim = await store.claim(digestOf('held'))
  expect(claim).toBeDefined()
  expect(await store.claim(digestOf('held'))).toBeUndefined()
  await claim?.release()
  expect(await store.claim(digestOf('held'))).toBeDefined()
  expect(store.get('records', 'held')).toBe(1)
  await store.close()
})
