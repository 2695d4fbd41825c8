import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../cache/package-root.ts'

/** They read what the kernel says, or what came with the program. */
const OWN = [
  'cache/disk-space.ts',
  'cache/files/read.ts',
  'cache/lmdb/value-index.ts',
  'cache/package-root.ts',
  'cache/problems/yaml-document.ts',
  'cache/processes/process-identity.ts',
  'cache/tokens/byte-pairs.ts',
  'tools/build/write-parsed.ts',
  'tools/cli/code-cache.ts',
  'tools/release/tool-version.ts',
  'tools/site/emit/assets.ts',
]

it('nothing but cache/files/read.ts reads what others may have put in the place of a file', () => {
  const rooms = ['cache', 'benchmarks', 'models', 'targets', 'tools']
  const files = rooms.flatMap((room) =>
    readdirSync(join(packageRoot(), room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${room}/${name}`),
  )
  const reads = /import [^;]*?\breadFile(?:Sync)?\b[^;]*? from 'node:fs(?:\/promises)?'/
  expect(files.filter((file) => reads.test(readFileSync(join(packageRoot(), file), 'utf8'))).sort()).toEqual(
    OWN,
  )
})
