import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { bareEnvironment } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

/** Runs a shell line in which `medmake` is the program of dist. */
const shell = (line: string) =>
  execa(
    'bash',
    ['-c', `medmake() { "${process.execPath}" "${join(packageRoot(), 'dist/medmake.js')}" "$@"; }; ${line}`],
    {
      cwd: createWorkspace(),
      env: bareEnvironment(),
      extendEnv: false,
      reject: false,
    },
  )

describe.skipIf(!existsSync('/dev/full'))('what is printed', () => {
  it.each(['models', '--help', 'taxonomy'])(
    'on a full disk is told as lost, and fails: %s',
    async (command) => {
      const { exitCode, stderr } = await shell(`medmake ${command} > /dev/full`)
      expect(stderr).toContain('error output: could not write: ENOSPC')
      expect(stderr).toContain('[cache/disk-full]')
      expect(stderr).not.toContain('    at ')
      expect(exitCode).toBe(1)
    },
  )

  it('keeps the exit code of a mistake where nobody can be told of it', async () => {
    expect(await shell('medmake explain nothing 2> /dev/full')).toMatchObject({ exitCode: 2 })
  })

  it('may find that its reader left', async () => {
    const { stdout, stderr } = await shell('medmake models 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"')
    expect(stdout).toMatch(/^deployment [^\n]*\n0$/)
    expect(stderr).toBe('')
  })
})
