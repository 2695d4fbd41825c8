import { beforeEach, expect, test, vi } from 'vitest'
import { homeFolder } from '../../../cache/files/home-folder.ts'
import { keyOrigin } from '../../../cache/vault/vault-key.ts'
import { userCache } from '../../../models/limits/limits-folder.ts'

const home = vi.hoisted(() => vi.fn<() => string>())
vi.mock('node:os', async (actual) => ({ ...(await actual<object>()), homedir: home }))

beforeEach(() => home.mockReturnValue('/home/ann'))

test('The home is what HOME says, else what the system knows of the user', () => {
  expect(homeFolder({ HOME: '/home/bob' })).toBe('/home/bob')
  expect(homeFolder({})).toBe('/home/ann')
})

test('A user whom the system does not know has the root for a home, and nothing ends with a stack', () => {
  const throwing = (): string => {
    throw new Error('uv_os_homedir returned ENOENT')
  }
  home.mockImplementationOnce(throwing).mockImplementationOnce(throwing)
  expect([homeFolder({}), userCache({})]).toEqual(['/', '/.cache'])
})

test('An empty HOME puts neither caches nor a vault’s key into the working folder', () => {
  home.mockReturnValue('')
  const env = { HOME: '' }
  expect(userCache(env)).toBe('/.cache')
  expect(keyOrigin(env, undefined)).toMatchObject({ path: '/.config/medmake/vault.key' })
})
