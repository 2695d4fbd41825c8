import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fileDigest } from '../../../benchmarks/sources/read-text.ts'
import { ProblemError, EXIT } from '../../../cache/problems/problem.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Store } from '../../../cache/store.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import { createConnections } from '../../../tools/session/connections.ts'
import { accessMoves } from '../../../tools/session/follow-access.ts'
import { lazyStore, type SessionVault, createMemo } from '../../../tools/session/session-keeping.ts'
import { exitOfSignal, stopOnSignals } from '../../../tools/session/stopper.ts'
import { awaited } from '../../../cache/user-code/bounded-call.ts'
import type { Workspace } from '../../../tools/session/workspace/workspace.ts'
import { madeUpDeployment } from '../../rig/made-up-run.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

describe('A store that comes with its first write', () => {
  const lazy = () => {
    const inner = memoryStore()
    let opened = 0
    const store = lazyStore(async () => {
      opened += 1
      return inner
    })
    return { store, inner, opened: () => opened }
  }

  test('is opened anew by who writes next where it could not be, and its end is no second failure.', async () => {
    const inner = memoryStore()
    let isFull = true
    const store = lazyStore(async () => {
      if (isFull) throw new Error('full')
      return inner
    })
    await expect(store.put('files', 'a', 1)).rejects.toThrow('full')
    await store.close()
    isFull = false
    await store.put('files', 'a', 1)
    expect(inner.get('files', 'a')).toBe(1)
  })

  test('is empty until then, and is not made by looking, removing or closing.', async () => {
    const { store, opened } = lazy()
    expect([store.get('files', 'a'), store.has('files', 'a'), [...store.entries('files')]]).toEqual([
      undefined,
      false,
      [],
    ])
    store.requireRoom()
    await store.remove('files', 'a')
    await store.close()
    expect(opened()).toBe(0)
  })

  test('is made once, by however many writes at once, or by a claim.', async () => {
    const { store, inner, opened } = lazy()
    await Promise.all(['a', 'b'].map((id) => store.put('files', id, id)))
    expect([opened(), store.get('files', 'a'), store.has('files', 'b')]).toEqual([1, 'a', true])
    expect([...store.entries('files')].map(({ id }) => id)).toEqual(['a', 'b'])
    await store.remove('files', 'a')
    expect(inner.has('files', 'a')).toBe(false)
    await store.close()
    expect(() => inner.get('files', 'b')).toThrow('closed')
    const claimed = lazy()
    expect(await claimed.store.claim('d' as Digest)).toBeDefined()
    expect([await claimed.store.claim('d' as Digest), claimed.opened()]).toEqual([undefined, 1])
  })
})

describe('What a session notes of files', () => {
  const STAT = { size: 3, mtimeNs: 5n, ctimeNs: 6n, inode: 7n, seen: Date.now() }
  const digest = 'f'.repeat(64) as Digest<'file'>

  test('holds while nothing of the file’s stat is otherwise, in this session and the next.', async () => {
    const store = memoryStore()
    const memo = createMemo(store)
    await memo.fileDigests.put('/a', STAT, digest)
    expect(memo.fileDigests.get('/a', STAT)).toBe(digest)
    expect(store.has('files', '/a')).toBe(false)
    await memo.flush()
    const later = createMemo(store).fileDigests
    expect([later.get('/a', STAT), later.get('/b', STAT)]).toEqual([digest, undefined])
    for (const change of [{ size: 4 }, { mtimeNs: 6n }, { ctimeNs: 7n }, { inode: 8n }])
      expect(later.get('/a', { ...STAT, ...change })).toBeUndefined()
  })

  test('never hides an edit, though it leaves size, time and place of the file as they were.', async () => {
    const file = join(temporaryFolder(), 'data.csv')
    const write = (text: string): number => {
      writeFileSync(file, text)
      utimesSync(file, 1e9, 1e9)
      return statSync(file).ino
    }
    const { fileDigests } = createMemo(memoryStore())
    const inode = write('a1,5 mg')
    const before = await fileDigest(file, fileDigests)
    expect(write('a1,9 mg')).toBe(inode)
    expect(await fileDigest(file, fileDigests)).not.toBe(before)
  })

  test('is not kept of a file that changed just now: a disk that counts seconds would hide the next change.', async () => {
    const { fileDigests } = createMemo(memoryStore())
    const ago = (ms: number) => ({ ...STAT, ctimeNs: BigInt(Date.now() - ms) * 1_000_000n })
    for (const [stat, isKept] of [
      [ago(0), false],
      [ago(-3_600_000), false],
      [ago(60_000), true],
    ] as const) {
      await fileDigests.put('/a', stat, digest)
      expect(fileDigests.get('/a', stat)).toBe(isKept ? digest : undefined)
    }
  })

  test('is not kept of one that changed just before it was looked at, however long the reading took.', async () => {
    const { fileDigests } = createMemo(memoryStore())
    const seen = Date.now() - 60_000
    for (const [before, isKept] of [
      [100, false],
      [60_000, true],
    ] as const) {
      const stat = { ...STAT, seen, ctimeNs: BigInt(seen - before) * 1_000_000n }
      await fileDigests.put('/a', stat, digest)
      expect(fileDigests.get('/a', stat)).toBe(isKept ? digest : undefined)
    }
  })

  const failing = (error: Error): Store =>
    Object.assign(memoryStore(), {
      put: async () => {
        throw error
      },
    })

  test('of what the open ledger holds is left out on a full disk, too, where room is to be made.', async () => {
    const store = memoryStore()
    const vault: SessionVault = {
      folder: '/none',
      exists: () => true,
      store: () => Promise.resolve(store),
      guarded: () => Promise.resolve(store),
      close: () => Promise.resolve(),
    }
    const full = new ProblemError({ code: 'cache/disk-full', message: 'full', remedy: 'Make room.' })
    const { followAccess } = accessMoves(failing(full), vault, () => undefined)
    await followAccess({ name: 'letters:model=a', benchmark: { name: 'letters', access: 'private' } })
  })

  test('is left out on a full disk; another fault is told.', async () => {
    const full = new ProblemError({ code: 'cache/disk-full', message: 'full', remedy: 'Make room.' })
    for (const [error, isTold] of [
      [full, false],
      [new Error('ours'), true],
    ] as const) {
      const memo = createMemo(failing(error))
      await memo.fileDigests.put('/a', STAT, digest)
      if (isTold) await expect(memo.flush()).rejects.toBe(error)
      else await memo.flush()
    }
  })
})

describe('A signal', () => {
  // Runs of other files in this process may have left theirs.
  const SIGNALS = ['SIGINT', 'SIGTERM'] as const
  const others = SIGNALS.map((signal) => process.listeners(signal))
  beforeEach(() => {
    vi.useFakeTimers()
    for (const signal of SIGNALS) process.removeAllListeners(signal)
  })
  afterEach(() => {
    vi.useRealTimers()
    for (const [index, signal] of SIGNALS.entries()) {
      process.removeAllListeners(signal)
      for (const listener of others[index] ?? []) process.on(signal, listener)
    }
  })

  test.each([
    [false, 'SIGINT', 4000, false],
    [false, 'SIGTERM', 4000, false],
    [true, 'SIGTERM', 45_000, true],
    [true, 'SIGINT', 4000, false],
  ] as const)(
    'begins no new work and gives calls in flight a grace: under a scheduler %s, %s %i ms.',
    async (isScheduled, signal, grace, suspends) => {
      const said: string[] = []
      const stopper = stopOnSignals((text) => said.push(text), isScheduled)
      expect([stopper.stop.aborted, exitOfSignal(stopper)]).toEqual([false, undefined])
      process.emit(signal, signal)
      expect([stopper.stop.aborted, stopper.abort.aborted]).toEqual([true, false])
      expect([stopper.interrupted(), exitOfSignal(stopper), said.length]).toEqual([
        true,
        suspends ? EXIT.goOn : EXIT.interrupted,
        1,
      ])
      await vi.advanceTimersByTimeAsync(grace - 1)
      expect(stopper.abort.aborted).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(stopper.abort.aborted).toBe(true)
      stopper.close()
    },
  )

  test('gives calls in flight up when it comes again, but not where Nx passes on what the terminal sent.', async () => {
    const stopper = stopOnSignals(() => undefined)
    process.emit('SIGINT', 'SIGINT')
    process.emit('SIGTERM', 'SIGTERM')
    await vi.advanceTimersByTimeAsync(500)
    expect(stopper.abort.aborted).toBe(false)
    process.emit('SIGINT', 'SIGINT')
    expect(stopper.abort.aborted).toBe(true)
    stopper.close()
  })

  test('that gives calls up waits no longer for what code of the workspace gave.', async () => {
    // Such code is given the clock that stood when the first of it was loaded.
    vi.useRealTimers()
    const stopper = stopOnSignals(() => undefined)
    const never = awaited('never.js', new Promise(() => undefined)).catch(String)
    stopper.abort.dispatchEvent(new Event('abort'))
    expect(await never).toBe('AbortError: the run was stopped')
    stopper.close()
  })

  test('is none where the session stops of itself, or only begins nothing more.', async () => {
    const stopper = stopOnSignals(() => undefined)
    stopper.halt()
    await vi.advanceTimersByTimeAsync(100_000)
    expect([stopper.stop.aborted, stopper.abort.aborted, stopper.interrupted()]).toEqual([true, false, false])
    stopper.request()
    await vi.advanceTimersByTimeAsync(4000)
    expect([stopper.abort.aborted, stopper.interrupted()]).toEqual([true, false])
    const listeners = process.listenerCount('SIGINT')
    stopper.close()
    expect(process.listenerCount('SIGINT')).toBe(listeners - 1)
  })
})

describe('Connections', () => {
  const opened = (config: object, more: Partial<Parameters<typeof createConnections>[0]> = {}) =>
    createConnections(
      {
        workspace: { config: { timeout: 1, shortest_timeout: 1, max_reply_mb: 1, ...config } } as Workspace,
        env: { MEDMAKE_LIMITS: temporaryFolder() },
        ...more,
      },
      { lookup: () => undefined },
    )
  const limited = (concurrency?: number) => ({
    ...madeUpDeployment('m/a'),
    limits: concurrency === undefined ? {} : { concurrency },
  })

  test.each([
    [{}, undefined, undefined, 32],
    [{}, undefined, 5, 5],
    [{ concurrency: 3 }, undefined, 5, 3],
    [{ concurrency: 9 }, undefined, 5, 5],
    [{ concurrency: 9 }, undefined, undefined, 9],
    [{ concurrency: 9 }, 2, 5, 2],
  ])(
    'under the settings %j, the flag %s and the deployment’s own %s have %i calls in flight.',
    async (config, flag, own, calls) => {
      const connections = opened(config, flag === undefined ? {} : { concurrency: flag })
      expect(connections.limiter(limited(own)).concurrency).toBe(calls)
      await connections.close()
    },
  )

  test('are one a deployment, and in a task of several its part.', async () => {
    const connections = opened({}, { shard: { index: 1, count: 2 } })
    const deployment = limited(5)
    expect(connections.limiter(deployment).concurrency).toBe(2)
    expect(connections.limiter(deployment)).toBe(connections.limiter(deployment))
    expect(connections.availability(deployment)).toBe(connections.availability(deployment))
    await connections.close()
  })

  test('tell of a task’s pause of more than 5 seconds before its first call.', async () => {
    const awaited: [string, number][] = []
    const shard = { index: 0, count: 2 }
    const onAwaited = (name: string, wait: number): void => void awaited.push([name, wait])
    const connections = opened({}, { shard, onAwaited })
    connections.limiter({ ...limited(), name: 'm/slow', limits: { requestsPerMinute: 10 } })
    connections.limiter({ ...limited(), name: 'm/fast', limits: { requestsPerMinute: 1000 } })
    await connections.close()
    expect(awaited).toEqual([['m/slow', 60_050 / 5]])
  })
})
