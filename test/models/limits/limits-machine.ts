import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import { shareOnMachine } from '../../../models/limits/machine-sharing.ts'
import type { Sharing } from '../../../models/limits/limiter.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

interface LimitsMachine {
  readonly folder: () => string
  /** As the same machine with another folder. */
  readonly moveFolder: () => void
  /** A process's part of a deployment's limits; closed when the test has ended. */
  readonly share: (slots: number, identity?: string) => Sharing
  /** Folder of the one deployment that was shared. */
  readonly deployment: () => string
}

/** For each test of a file a folder of limits, and a clock that stands until the test moves it. */
export const limitsMachine = (): LimitsMachine => {
  let folder = ''
  let opened: Sharing[] = []
  beforeEach(() => {
    folder = temporaryFolder()
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'hrtime', 'setInterval', 'clearInterval'], now: 1e12 })
  })
  afterEach(() => {
    for (const sharing of opened) sharing.close()
    opened = []
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
  return {
    folder: () => folder,
    moveFolder: () => void (folder = temporaryFolder()),
    share: (slots, identity = 'a/b http://x') => {
      const sharing = shareOnMachine(folder, identity, slots)
      opened.push(sharing)
      return sharing
    },
    deployment: () => join(folder, readdirSync(folder)[0] ?? 'none'),
  }
}
