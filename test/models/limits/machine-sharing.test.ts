import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import { shareOnMachine } from '../../../models/limits/machine-sharing.ts'
import type { Sharing } from '../../../models/limits/limiter.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const opened: Sharing[] = []
const share = (folder: string, slots: number, identity = 'a/b http://x'): Sharing => {
  const sharing = shareOnMachine(folder, identity, slots)
  opened.push(sharing)
  return sharing
}
const takeAll = (sharing: Sharing): number => {
  let taken = 0
  while (sharing.take()) taken += 1
  return taken
}

afterEach(() => {
  for (const sharing of opened.splice(0)) sharing.close()
})

describe('limits on one machine', () => {
  it('hold over all who share a deployment', () => {
    const folder = temporaryFolder()
    const first = share(folder, 4)
    const second = share(folder, 4)
    expect(takeAll(first)).toBe(4)
    expect(takeAll(second)).toBe(0)
    first.close()
    const later = performance.now() + 1000
    vi.spyOn(performance, 'now').mockReturnValue(later)
    expect(takeAll(second)).toBe(4)
    vi.restoreAllMocks()
  })

  it('end nothing where what a process holds can be given back no more', () => {
    const folder = temporaryFolder()
    const sharing = share(folder, 2)
    expect(takeAll(sharing)).toBe(2)
    const [deployment = ''] = readdirSync(folder)
    const slot = join(folder, deployment, 'slot-1')
    rmSync(slot)
    mkdirSync(slot)
    expect(() => sharing.give()).not.toThrow()
    expect(() => sharing.close()).not.toThrow()
  })

  it.each([
    ['stands before 1970', () => -400 * 86_400_000],
    ['is set back by a day', () => Date.now() - 86_400_000],
  ])('hold nobody up where the clock %s', (_, later) => {
    const sharing = share(temporaryFolder(), 4)
    expect(sharing.take()).toBe(true)
    sharing.tell({ wait: 100, rate: 5 })
    vi.useFakeTimers({ toFake: ['Date'], now: later() })
    expect(sharing.news()).toEqual({ wait: 0 })
    expect(share(temporaryFolder(), 4).news()).toEqual({ wait: 0 })
    expect(takeAll(sharing)).toBe(3)
    vi.useRealTimers()
  })

  it('are of each deployment its own', () => {
    const folder = temporaryFolder()
    expect(takeAll(share(folder, 2))).toBe(2)
    expect(takeAll(share(folder, 2, 'a/b http://y'))).toBe(2)
  })

  it('give a newcomer an even part', () => {
    const folder = temporaryFolder()
    expect(share(folder, 4).take()).toBe(true)
    const second = share(folder, 4)
    expect(takeAll(second)).toBe(2)
    expect(second.members()).toBe(2)
  })

  it('take over the slots of a process that has ended', () => {
    const folder = temporaryFolder()
    const sharing = share(folder, 2)
    sharing.take()
    const [deployment = ''] = readdirSync(folder)
    const ended = formatIdentity({ ...identifyProcess(), pid: 2 ** 22 + 1, start: '1' })
    symlinkSync(ended, join(folder, deployment, 'slot-1'))
    expect(sharing.take()).toBe(true)
  })

  it('tell the others of a rejection and of the rate that was learned', () => {
    const folder = temporaryFolder()
    const first = share(folder, 2)
    const second = share(folder, 2)
    first.tell({ wait: 60_000, rate: 0.05 })
    second.take()
    const news = second.news()
    expect(news.rate).toBe(0.05)
    expect(news.wait).toBeGreaterThan(0)
    expect(second.news().rate).toBeUndefined()
  })

  it('name the folder that can not be used', () => {
    expect(() => share('/dev/null/limits', 1).take()).toThrow('/dev/null/limits')
  })
})
