import { chmodSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limitsFolder } from '../../../models/limits/limits-folder.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const own = (home: string): string => join(home, '.cache/medmake/limits', hostname())

describe.skipIf(process.platform === 'win32')('processes meet', () => {
  test('in the folder that the environment names', () => {
    expect(limitsFolder({ MEDMAKE_LIMITS: '/x', XDG_RUNTIME_DIR: '/y', HOME: '/z' })).toBe('/x')
  })

  test('in the user’s runtime folder, if it is theirs alone', () => {
    const runtime = temporaryFolder()
    chmodSync(runtime, 0o700)
    expect(limitsFolder({ XDG_RUNTIME_DIR: runtime, HOME: '/home/a' })).toBe(join(runtime, 'medmake/limits'))
    chmodSync(runtime, 0o777)
    expect(limitsFolder({ XDG_RUNTIME_DIR: runtime, HOME: '/home/a' })).toBe(own('/home/a'))
    expect(limitsFolder({ XDG_RUNTIME_DIR: join(runtime, 'none'), HOME: '/home/a' })).toBe(own('/home/a'))
    chmodSync(runtime, 0o700)
    const link = join(temporaryFolder(), 'link')
    symlinkSync(runtime, link)
    expect(limitsFolder({ XDG_RUNTIME_DIR: link, HOME: '/home/a' })).toBe(own('/home/a'))
  })

  test('else in their own, never where others write', () => {
    expect(limitsFolder({ HOME: '/home/a' })).toBe(own('/home/a'))
    expect(limitsFolder({ HOME: '/home/a', XDG_CACHE_HOME: '/c' })).toBe(
      join('/c/medmake/limits', hostname()),
    )
  })
})
