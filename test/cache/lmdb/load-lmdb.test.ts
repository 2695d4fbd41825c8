import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { loadLmdb } from '../../../cache/lmdb/load-lmdb.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const INSTALLED = join(packageRoot(), 'node_modules')

test.each(['C# notes', '100%', '20%25', 'what?', 'a\nb', 'plain'])(
  'lmdb finds its native part in a folder named %j',
  (name) => {
    const root = join(temporaryFolder(), name)
    const modules = join(root, 'node_modules')
    mkdirSync(modules, { recursive: true })
    for (const each of readdirSync(INSTALLED))
      if (each !== 'lmdb') symlinkSync(join(INSTALLED, each), join(modules, each))
    // By a link it would lie where that leads.
    cpSync(join(INSTALLED, 'lmdb'), join(modules, 'lmdb'), { recursive: true })
    const { open } = loadLmdb(pathToFileURL(join(root, 'main.js')).href)
    expect(open).toBeTypeOf('function')
    expect('document' in globalThis).toBe(false)
  },
)
