import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { checkOut } from '../../../tools/cli/common/checkout.ts'
import { createWorkspace } from '../../rig/workspace.ts'

test('another commit is read with its own packages, with installed ones and with data that git ignores', async () => {
  const root = realpathSync(
    createWorkspace({
      '.gitignore': 'node_modules\ndata.csv\n',
      'packages/shared/index.js': 'export {}',
      'node_modules/installed/index.js': 'export {}',
      'evals/data.csv': 'a\n',
      'evals/medmake.yaml': '',
    }),
  )
  mkdirSync(join(root, 'node_modules/@org'))
  symlinkSync('../../packages/shared', join(root, 'node_modules/@org/shared'))
  symlinkSync('nowhere', join(root, 'node_modules/dangling'))
  const git = (...args: readonly string[]): Promise<unknown> =>
    execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root })
  await git('init', '-q')
  await git('add', '-A')
  await git('commit', '-qm', 'Start')
  const checkout = await checkOut(join(root, 'evals'), 'HEAD')
  const tree = realpathSync(join(checkout.workspace, '..'))
  const at = (path: string): string => realpathSync(join(tree, path))
  expect(at('node_modules/@org/shared/index.js')).toBe(join(tree, 'packages/shared/index.js'))
  expect(at('node_modules/installed')).toBe(join(root, 'node_modules/installed'))
  expect(at('evals/data.csv')).toBe(join(root, 'evals/data.csv'))
  await checkout.remove()
  expect([tree, join(root, 'packages/shared/index.js')].map(existsSync)).toEqual([false, true])
})
