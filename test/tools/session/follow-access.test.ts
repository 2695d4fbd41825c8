import { noteUnpaid, unpaidReplies } from '../../../targets/record/unpaid-reply.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Digest } from '../../../cache/values/digest.ts'
import { runTargets } from '../../../targets/scheduler/run-targets.ts'
import { accessMoves } from '../../../tools/session/follow-access.ts'
import type { SessionVault } from '../../../tools/session/session-keeping.ts'
import { canary, filesWithCanaries, foundIn } from '../../rig/canary.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, realStore, textReply } from '../../rig/made-up-run.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

describe('Results follow their benchmark’s access', () => {
  const instances = madeUpInstances([
    [canary(1), canary(2)],
    [canary(3), canary(4)],
  ])

  const built = async () => {
    const path = join(temporaryFolder(), 'store')
    const store = await realStore(path)
    const sealed = await realStore()
    const answer = () => textReply(canary(5))
    const run = await madeUpRun(answer, { records: store, vault: sealed })
    const vault = { exists: () => true, store: async () => sealed } as unknown as SessionVault
    const { followAccess, sealOpen } = accessMoves(store, vault, run.env.listener)
    const buildAs = async (access: 'public' | 'private', name = 'letters', model = 'm/a') => {
      const target = madeUpTarget({ instances, access, model, benchmark: { name, runName: name } })
      await followAccess(target.spec)
      const problems: unknown[] = []
      await runTargets([target], run.env, {
        onResult: async () => undefined,
        onProblem: (_, error) => void problems.push(error),
      })
      expect(problems).toEqual([])
    }
    return { path, store, sealed, run, buildAs, sealOpen }
  }

  test('into the vault and out again, at no call; no file of the open store holds a text then.', async () => {
    const { path, store, sealed, run, buildAs } = await built()
    await buildAs('public')
    expect(run.asked).toHaveLength(2)
    expect(filesWithCanaries(path)).not.toEqual([])
    await buildAs('private')
    expect(filesWithCanaries(path)).toEqual([])
    expect([...sealed.entries('completions')]).toHaveLength(2)
    expect([...store.entries('completions'), ...store.entries('ledger')]).toEqual([])
    expect(run.events).toContainEqual(
      expect.objectContaining({ type: 'access-followed', access: 'private', erased: true }),
    )
    await buildAs('public')
    expect([...store.entries('completions')]).toHaveLength(2)
    expect([...sealed.entries('ledger')]).toEqual([])
    expect(run.asked).toHaveLength(2)
  })

  test('also what a run left there that was killed before anything was paid or built; what another stands on stays.', async () => {
    const { store, buildAs } = await built()
    await buildAs('public', 'notes', 'm/b')
    const tables = ['instances', 'prompts', 'metrics'] as const
    const values = () => tables.map((table) => [...store.entries(table)].map(({ id }) => id))
    const before = values()
    for (const table of tables) await store.put(table, 'f'.repeat(64), { text: canary(9) })
    await buildAs('private')
    expect(before.map((ids) => ids.length)).not.toContain(0)
    expect(values()).toEqual(before)
    // Looked through once, until it was public in between: a store of a million replies takes its time.
    const left = { text: canary(10) }
    await store.put('prompts', 'e'.repeat(64), left)
    await buildAs('private', 'letters', 'm/c')
    expect(store.get('prompts', 'e'.repeat(64))).toEqual(left)
    expect(store.get('files', 'swept')).toEqual(['letters'])
    await buildAs('public', 'letters', 'm/d')
    expect(store.get('files', 'swept')).toEqual([])
  })

  test('with replies of models in this process, whose they were noted to be; where they come back they go again.', async () => {
    const { store, sealed, buildAs, sealOpen } = await built()
    const put = async (letter: string, of?: string) => {
      const id = letter.repeat(64) as Digest<'completion'>
      if (of !== undefined) await noteUnpaid(of, id, store)
      await store.put('completions', id, {
        key: { protocol: 'local' },
        reply: { choices: [] },
        requestTime: 0,
      })
      return id
    }
    const ids = [await put('a', 'letters'), await put('b', 'notes'), await put('c')]
    const places = () => ids.map((id) => [store.has('completions', id), sealed.has('completions', id)])
    await buildAs('private')
    expect(places()).toEqual([
      [false, true],
      [true, false],
      [true, false],
    ])
    expect([...unpaidReplies(store).keys()]).toEqual(['notes'])
    await put('a')
    expect(await sealOpen(new Set(['letters']))).toEqual(['models in this process'])
    expect(places()[0]).toEqual([false, true])
  })

  test('and leave in the vault what a private run of the same texts stands on.', async () => {
    const { sealed, buildAs } = await built()
    const values = () =>
      (['completions', 'prompts', 'metrics'] as const).map((table) =>
        [...sealed.entries(table)].map(({ id }) => id),
      )
    await buildAs('private')
    await buildAs('private', 'notes')
    const before = values()
    await buildAs('public')
    expect(before.map((ids) => ids.length)).not.toContain(0)
    expect(values()).toEqual(before)
  })

  test('though they were paid for and never built into a run.', async () => {
    const { path, store, sealed, buildAs, sealOpen } = await built()
    await buildAs('public')
    // As it is where a run was stopped, or replies came from elsewhere.
    const traces = [...store.entries('traces')]
    for (const { id } of traces) await store.remove('traces', id)
    expect(await sealOpen(new Set(['others']))).toEqual([])
    expect(await sealOpen(new Set(['letters', 'others']))).toEqual(['letters'])
    expect([...store.entries('completions'), ...store.entries('ledger')]).toEqual([])
    expect([...sealed.entries('completions')]).toHaveLength(2)
    const holds = (file: string): boolean => foundIn(readFileSync(join(path, file))).includes(canary(5))
    expect(filesWithCanaries(path).filter(holds)).toEqual([])
  })
})
