import type * as Fs from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import type * as Folders from '../../../cache/files/folders.ts'
import { RatingLog, readLog } from '../../../tools/ratings/rating-log.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const failing = vi.hoisted(() => ({ call: '' }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>()
  const failOnce = (call: string): void => {
    if (failing.call !== call) return
    failing.call = ''
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', errno: -5, syscall: call })
  }
  return {
    ...fs,
    ftruncateSync: (file: number, size?: number): void => {
      failOnce('ftruncate')
      fs.ftruncateSync(file, size)
    },
    closeSync: (file: number): void => {
      fs.closeSync(file)
      failOnce('close')
    },
  }
})

vi.mock('../../../cache/files/folders.ts', async (original) => {
  const folders = await original<typeof Folders>()
  return {
    ...folders,
    syncFolder: (folder: string): void => {
      if (failing.call === 'fsync') {
        failing.call = ''
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', errno: -5, syscall: 'fsync' })
      }
      folders.syncFolder(folder)
    },
  }
})

const event = (at: string) => ({
  study: 'main',
  rater: 'ann',
  kind: 'rated' as const,
  at,
  subject: {
    benchmark: 'notes',
    instance: '1'.repeat(64),
    answer: 'a'.repeat(64),
    rubric: '2'.repeat(64),
  },
  content: { nonce: '0123456789abcdef', scores: { accuracy: 3 } },
})

beforeEach(() => {
  failing.call = ''
})

it.each(['ftruncate', 'close', 'fsync'])(
  'A rating of which the rater was told that it was not kept is not found later, and the next one is kept, where %s failed.',
  (call) => {
    const file = join(temporaryFolder(), 'ann.jsonl')
    const log = new RatingLog(file)
    failing.call = call
    expect(() => log.append([log.next(event('2026-01-01T00:00:00Z'))])).toThrow('EIO')
    expect(failing.call).toBe('')
    expect(readLog(file).events).toHaveLength(0)
    log.append([log.next(event('2026-01-02T00:00:00Z'))])
    expect(readLog(file).events.map(({ at }) => at)).toEqual(['2026-01-02T00:00:00Z'])
  },
)
