import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openSession } from '../../../tools/session/session.ts'
import { stopOnSignals } from '../../../tools/session/stopper.ts'
import { findWorkspace } from '../../../tools/session/workspace/workspace.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const openIn = (folder: string): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`)
      return file.startsWith(folder) ? [file] : []
    } catch {
      return []
    }
  })

it.skipIf(process.platform !== 'linux')(
  'a session leaves its store closed where its declarations do not load, and where something else of it can’t be closed',
  async () => {
    const root = createWorkspace({
      'targets/main.conf': 'entries: [{description: "demo_multiple_choice:model=baseline/first-choice"}]',
    })
    expect((await medmake(['run'], { cwd: root })).code).toBe(0)
    const open = async (): Promise<Awaited<ReturnType<typeof openSession>>> =>
      openSession({
        workspace: await findWorkspace(root),
        cwd: root,
        env: { MEDMAKE_VAULT_KEY: 'c3'.repeat(32) },
        listener: () => undefined,
        stopper: stopOnSignals(() => undefined, false),
      })
    const session = await open()
    expect(openIn(join(root, 'cache'))).not.toEqual([])
    await session.close()
    expect(openIn(join(root, 'cache'))).toEqual([])
    const full = await open()
    vi.spyOn(full.vault, 'close').mockRejectedValue(new Error('no room'))
    await expect(full.close()).rejects.toThrow('no room')
    expect(openIn(join(root, 'cache'))).toEqual([])
    writeFiles(root, { 'models/bad.yaml': 'modells: []\n' })
    await expect(open()).rejects.toThrow('modells')
    expect(openIn(join(root, 'cache'))).toEqual([])
  },
)
