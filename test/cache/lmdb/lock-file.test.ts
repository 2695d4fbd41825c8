import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { freshLockFile } from '../../../cache/lmdb/index-files.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const NOBODY = 65_534

// Needs the right to be somebody else.
test.skipIf(process.getuid?.() !== 0)(
  'another user’s lock file gives way where its folder is open to all',
  () => {
    const folder = temporaryFolder()
    const lock = join(folder, 'index.lmdb-lock')
    writeFileSync(lock, Buffer.alloc(1 << 17, 1), { mode: 0o600 })
    chmodSync(dirname(folder), 0o711)
    chmodSync(folder, 0o777)
    process.seteuid?.(NOBODY)
    try {
      freshLockFile(join(folder, 'index.lmdb'))
    } finally {
      process.seteuid?.(0)
    }
    expect(statSync(lock).uid).toBe(NOBODY)
  },
)
