import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { repositoryOf } from './shared.ts'

test('the reference lies beside the repository for what is bundled, too', () => {
  const repository = fileURLToPath(new URL('../..', import.meta.url))
  expect(join(repositoryOf(join(repository, 'dist')), '/')).toBe(repository)
  expect(join(repositoryOf(join(repository, 'test/rig')), '/')).toBe(repository)
})
