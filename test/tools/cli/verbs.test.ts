import { expect, it } from 'vitest'
import { VERBS } from '../../../tools/cli/verbs.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it.each(VERBS.flatMap(({ name, commands }) => (commands === undefined ? [] : [[name, commands] as const])))(
  'the help of %s names each of its commands',
  async (name, commands) => {
    const cwd = createWorkspace()
    const { code, stderr } = await medmake([name, 'nothing'], { cwd })
    const known = Object.keys(commands).map((each) => `medmake ${name} ${each}`)
    expect(code).toBe(2)
    expect(stderr).toContain(`Use ${known.join(', ')}.`)
    const { stdout } = await medmake([name, '--help'], { cwd })
    const told = stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
    for (const line of Object.entries(commands)) expect(told).toContainEqual(line)
  },
)

/** Words, the exit code, and what its problem must say. */
const WRONG = [
  ['run --bogus', 2, "unknown option '--bogus'", 'medmake run --help shows'],
  ['explain', 2, "missing required argument 'run-or-suite'", 'medmake explain --help shows'],
  ['rnu', 2, 'Did you mean "run"?', 'medmake --help lists'],
  ['help rnu', 2, 'cli/unknown-command', 'Did you mean "run"?'],
  ['run demo --models-to-run nope', 2, 'cli/nothing-to-run', 'No entry fits nope'],
  ['report demo --models-to-run nope', 2, 'cli/nothing-to-run', 'No entry fits nope'],
  ['run demo --priority 0', 2, 'cli/nothing-to-run', '--priority leaves out every entry'],
  ['report hollow', 2, 'cli/nothing-to-run', 'No suite that is asked for has an entry'],
  ['report demo --site targets', 2, 'cli/not-empty', 'targets is not empty, and holds no site'],
  ['run demo -d --models-to-run baseline/lead nope', 0, 'no entry is of --models-to-run nope', ''],
  [
    'run demo -d --groups-to-run demo_multiple_choice nope',
    0,
    "no entry's benchmark is of --groups-to-run nope",
    '',
  ],
  ['rate import', 2, 'cli/missing-argument', 'ratings.json'],
  // What a command does not take it would leave unread: this one would merge, and not only say so.
  ['cache merge --dry-run other', 2, 'cli/bad-flag', 'takes no --dry-run, which is of medmake cache gc'],
  // Text where a program reads JSON is no answer, and a file is made by then.
  ['rate pack --json', 2, 'cli/bad-flag', 'takes no --json, which is of medmake rate plan'],
  ['benchmark new mine --json', 2, 'cli/bad-flag', 'takes no --json, which is of medmake benchmark check'],
  [
    'release reproduce v1 --profile medhelm-0.8',
    2,
    'cli/bad-flag',
    'takes no --profile, which is of medmake release create',
  ],
  ['release create v1 --suite demo', 2, 'cli/bad-flag', 'Did you mean "--suites"?'],
  ['rate plan demo --rater ann', 2, 'medmake rate serve, medmake rate pack', 'Did you mean "--raters"?'],
] as const

it.each(WRONG)('%s ends with %d, and says what is wrong and how to mend it', async (words, code, ...said) => {
  const cwd = createWorkspace({ 'targets/hollow.conf': 'entries: []' })
  const told = await medmake(words.split(' '), { cwd })
  expect([told.code, told.stderr.split('\n').length < 20]).toEqual([code, true])
  for (const part of said) expect(told.stderr).toContain(part)
})

it.each([
  [
    'report demo -m 3',
    '`medmake run demo` first, with --max-eval-instances as here, or give here what it was given of -m, -t, --profile, --errata and --skip-bad-rows;',
  ],
  ['costs -r demo_multiple_choice:model=baseline/lead', '`medmake run` first, with --run-entries as here'],
  ['compare --suite demo -m 3', '`medmake run demo` first, with --max-eval-instances as here'],
  [
    'jury coverage demo -m 3',
    '`medmake run demo` first, with the same -m, -t, --profile, --errata and --skip-bad-rows',
  ],
])('%s says what to run before, with the flags that decide it', async (words, said) => {
  expect((await medmake(words.split(' '), { cwd: createWorkspace() })).stderr).toContain(said)
})

it('help is no failure, though a process counts as one until it is done', async () => {
  const before = process.exitCode
  process.exitCode = 1
  try {
    for (const words of ['help', 'help run', 'run --help', '--help'])
      expect([words, (await medmake(words.split(' '), { cwd: createWorkspace() })).code]).toEqual([words, 0])
  } finally {
    process.exitCode = before
  }
})
