// `npm run mutate [-- AREA… [FILE…]]`: changes the code line by line and counts the changes that no test notices, in these
// files of one area alone where they are named. The tests are those of the repository: reference results are left out.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { areas } from './areas.mjs'

const only = process.argv.slice(2).filter((name) => !(name in areas) && existsSync(name))
const asked = process.argv.slice(2).filter((name) => !only.includes(name))
const unknown = asked.find((name) => !(name in areas))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(areas).join(', ')}`)
let failed = false
for (const name of asked.length === 0 ? Object.keys(areas) : asked) {
  const { mutate, tests } = areas[name]
  const files = (only.length > 0 ? only : mutate).map((path) =>
    statSync(path).isDirectory() ? `${path}/**/*.ts` : path,
  )
  const { status } = spawnSync(
    'npx',
    ['stryker', 'run', 'test/mutate/stryker.config.mjs', '--mutate', files.join(',')],
    {
      stdio: 'inherit',
      env: { ...process.env, MUTATE_TESTS: tests.join(','), MUTATE_AREA: name, MEDMAKE_SHARED: '/nowhere' },
    },
  )
  failed ||= status !== 0
}
process.exitCode = failed ? 1 : 0
