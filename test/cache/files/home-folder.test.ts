import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { expect, test, vi } from 'vitest'
import { homeFolder, userFolder } from '../../../cache/files/home-folder.ts'
import { keyOrigin } from '../../../cache/vault/vault-key.ts'
import { limitsFolder } from '../../../models/limits/limits-folder.ts'

test('The home is what HOME says, else what the system knows of the user', () => {
  const known = (): string => '/home/ann'
  expect(homeFolder({ HOME: '/home/bob' }, known)).toBe('/home/bob')
  expect(homeFolder({}, known)).toBe('/home/ann')
})

test('A user whom the system does not know has the root for a home, and nothing ends with a stack', () => {
  const unknown = (): string => {
    throw new Error('uv_os_homedir returned ENOENT')
  }
  expect([homeFolder({}, unknown), homeFolder({ HOME: '' }, () => '')]).toEqual(['/', '/'])
})

test.each(['', 'home', './home', '~'])(
  'HOME and XDG folders of %j put neither caches nor a vault’s key into the working folder',
  (given) => {
    const env = { HOME: given, XDG_CONFIG_HOME: given, XDG_CACHE_HOME: given, XDG_RUNTIME_DIR: given }
    const origin = keyOrigin(env, undefined)
    expect([userFolder(env, 'cache'), limitsFolder(env)].every(isAbsolute)).toBe(true)
    expect(origin.kind === 'file' && isAbsolute(origin.path)).toBe(true)
  },
)

test('What moves the home for the whole system moves it here, too, unless it is relative', () => {
  try {
    // As USERPROFILE does on Windows, where HOME seldom is.
    vi.stubEnv('HOME', '/moved')
    expect(homeFolder({})).toBe('/moved')
    vi.stubEnv('HOME', 'moved')
    expect(homeFolder({})).toBe(userInfo().homedir)
  } finally {
    vi.unstubAllEnvs()
  }
})
