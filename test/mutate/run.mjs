// `npm run mutate [-- AREA… [FILE…] [--sample N --seed S]]`: changes the code line by line and counts the changes that no
// test notices, in these files of one area alone where they are named; of N drawn ones where so many are too many. The
// tests are those of the repository: reference results are left out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { areas } from './areas.mjs'
import { mutantName, sampleMutants } from './sample.mjs'

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
  },
  allowPositionals: true,
})
const only = positionals.filter((name) => !(name in areas) && existsSync(name))
const asked = positionals.filter((name) => !only.includes(name))
const unknown = asked.find((name) => !(name in areas))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(areas).join(', ')}`)
for (const name of asked.length === 0 ? Object.keys(areas) : asked)
  if (!(await mutateArea(name))) process.exitCode = 1

async function mutateArea(area) {
  const { mutate, tests } = areas[area]
  const paths = only.length > 0 ? only : mutate
  const drawn = values.sample && (await sampleMutants(paths, Number(values.sample), values.seed))
  const sampleFile = `cache/results/mutate/${area}-sample.json`
  mkdirSync('cache/results/mutate', { recursive: true })
  if (drawn) writeFileSync(sampleFile, JSON.stringify(drawn.names))
  const files = drawn
    ? drawn.names.map(placeOf)
    : paths.map((path) => (statSync(path).isDirectory() ? `${path}/**/*.ts` : path))
  const { status } = spawnSync(
    'npx',
    [
      'stryker',
      'run',
      'test/mutate/stryker.config.mjs',
      '--mutate',
      files.join(','),
      '--concurrency',
      values.concurrency,
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        MUTATE_TESTS: tests.join(','),
        MUTATE_AREA: area,
        MEDMAKE_SHARED: '/nowhere',
        ...(drawn && { MUTATE_SAMPLE: sampleFile }),
      },
    },
  )
  return drawn ? showSample(area, drawn) : status === 0
}

/** Where a mutant is, as Stryker's ranges say it: columns count from 0. What is not drawn then slows no test. */
function placeOf(name) {
  const [file, place] = name.split(' ')
  return `${file}:${place.replaceAll(/:(\d+)/gu, (_, column) => `:${column - 1}`)}`
}

/** Counts the drawn mutants of the report, shows those that nobody noticed, and says whether 85 % were. */
function showSample(area, { of, names }) {
  const report = JSON.parse(readFileSync(`cache/results/mutate/${area}.json`, 'utf8'))
  const mutants = Object.entries(report.files).flatMap(([fileName, file]) =>
    file.mutants.map((mutant) => ({ name: mutantName({ ...mutant, fileName }), status: mutant.status })),
  )
  const chosen = new Set(names)
  // A mutant that works while modules load can't be switched within a run.
  const counted = mutants.filter(({ name, status }) => chosen.has(name) && status !== 'Ignored')
  const missed = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  for (const { name, status } of missed)
    console.log(`${status.padEnd(10)} ${name.replaceAll(/\s+/gu, ' ').slice(0, 200)}`)
  const [low, high] = wilson(counted.length - missed.length, counted.length)
  console.log(
    `${area}: ${counted.length - missed.length} of ${counted.length} noticed, ${percent(1 - missed.length / counted.length)}` +
      ` (95 %: ${percent(low)} to ${percent(high)}), drawn from ${of} with seed ${values.seed}`,
  )
  return missed.length <= 0.15 * counted.length
}

function wilson(k, n, z = 1.959964) {
  const middle = (k + z ** 2 / 2) / (n + z ** 2)
  const half = (z / (n + z ** 2)) * Math.sqrt((k * (n - k)) / n + z ** 2 / 4)
  return [middle - half, middle + half]
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`
}
