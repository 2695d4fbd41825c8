// `npm run mutate [-- AREA…]`: changes the code line by line and counts the changes that no test notices. The tests are
// those of the repository alone: reference results beside it are left out.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { areas } from './areas.mjs'

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in areas))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(areas).join(', ')}`)
let failed = false
for (const name of asked.length === 0 ? Object.keys(areas) : asked) {
  const { mutate, tests } = areas[name]
  const files = mutate.map((path) => (statSync(path).isDirectory() ? `${path}/**/*.ts` : path))
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
