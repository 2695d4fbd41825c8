import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

  it('takes the digests of what the registry has, and says how many it lacks', async () => {
    const registry = createServer(({ url }, response) => {
      const packument = {
        name: 'there-linux-x64',
        'dist-tags': { latest: '1.0.0' },
        versions: {
          '1.0.0': { name: 'there-linux-x64', version: '1.0.0', dist: { integrity: 'sha512-abc' } },
        },
      }
      const known = url === '/there-linux-x64'
      response.writeHead(known ? 200 : 404).end(JSON.stringify(known ? packument : {}))
    })
    await new Promise<void>((resolve) => void registry.listen(0, '127.0.0.1', resolve))
    const cwd = createWorkspace({
      'package-lock.json': lockText({
        '': { name: 'x' },
        'node_modules/had': { version: '1.0.0', integrity: 'sha512-had' },
        'node_modules/there-linux-x64': { version: '1.0.0', optional: true },
        'node_modules/tool/node_modules/gone-linux-x64': { version: '1.0.0', optional: true },
      }),
    })
    const { port } = registry.address() as AddressInfo
    const { exitCode, stdout } = await execa(process.execPath, [script, '--digests'], {
      cwd,
      env: { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: createWorkspace() },
    })
    registry.close()
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: '1 digests added to package-lock.json, 1 packages are not in the registry',
    })
    const { packages } = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { readonly integrity?: string }>
    }
    expect(Object.values(packages).map(({ integrity }) => integrity)).toEqual([
      undefined,
      'sha512-had',
      'sha512-abc',
      undefined,
    ])
  })
})
