import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const script = join(packageRoot(), 'tools/build/complete-lock.mjs')
const lockText = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages })
const run = (cwd: string, ...args: string[]): Promise<{ exitCode?: number | undefined; stderr: string }> =>
  execa(process.execPath, [script, ...args], { cwd, reject: false })

describe('our package-lock.json', () => {
  it('holds every platform, so that npm ci works on all', async () => {
    const { exitCode, stderr } = await run(packageRoot(), '--check')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  it('names no registry, so that any mirror will do', () => {
    expect(readFileSync(join(packageRoot(), 'package-lock.json'), 'utf8')).not.toMatch(
      /"resolved"|https?:\/\/[^"]*registry/,
    )
  })
})

describe('completing a lock', () => {
  it('adds what is missing with its platform and finds what is nested', async () => {
    const cwd = createWorkspace({
      'package-lock.json': lockText({
        '': { name: 'x' },
        'node_modules/tool': {
          version: '1.0.0',
          dev: true,
          optionalDependencies: {
            'tool-linux-arm64-musl': '1.0.0',
            'tool-darwin-x64': '1.0.0',
            near: '2.0.0',
          },
        },
        'node_modules/tool/node_modules/near': { version: '2.0.0' },
      }),
    })
    expect(await run(cwd, '--check')).toMatchObject({ exitCode: 1 })
    expect(await run(cwd)).toMatchObject({ exitCode: 0 })
    const { packages } = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, object>
    }
    expect(Object.keys(packages)).toHaveLength(5)
    expect(packages['node_modules/tool-linux-arm64-musl']).toEqual({
      version: '1.0.0',
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
      dev: true,
      optional: true,
    })
    expect(await run(cwd, '--check')).toMatchObject({ exitCode: 0 })
  })
})
