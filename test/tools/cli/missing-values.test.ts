import { describe, expect, it } from 'vitest'
import { refuseMissingValues, refuseShellsLeavings } from '../../../tools/cli/refused-words.ts'
import { VERBS } from '../../../tools/cli/verbs.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const FLAGS = ['-o, --output-path <folder>', '--models-to-run <models...>', '-d, --dry-run']
const check = (line: string) => () => refuseMissingValues(line.split(' '), FLAGS)

describe('a flag that takes a value', () => {
  it.each(['-o -d', '--output-path --dry-run', '-do -d', '--models-to-run -d', '-o', 'demo --output-path'])(
    'is refused without one: %s',
    (line) => expect(check(line)).toThrow('cli/missing-value'),
  )

  it.each([
    '-o out -d',
    '--output-path=-d',
    '-o -5',
    '-o -',
    '--models-to-run a b -d',
    '-d -- -o -d',
    '-oout -d',
    '-o out -o other',
  ])('is taken with one: %s', (line) => expect(check(line)).not.toThrow())
})

it.each(VERBS.map((verb) => [verb.name, verb] as const))(
  '%s has no such flag that another can fill',
  (_, verb) => {
    const known = Object.keys({ ...verb.flags, ...verb.hidden })
    for (const flags of known.filter((each) => each.includes('<')))
      for (const name of flags.split(/[ ,]+/).filter((word) => word.startsWith('-')))
        expect(() => refuseMissingValues([name, '--help'], known), name).toThrow('cli/missing-value')
  },
)

describe('what a shell leaves', () => {
  it.each([
    [['redact', ''], 'the value behind redact is empty'],
    [['run', '--store='], 'the value behind --store is empty'],
    [['run', '-o='], 'the value behind -o is empty'],
    [['init', '--k8s='], 'the value behind --k8s is empty'],
    [['run', '--models-to-run', 'a', ''], 'the value behind a is empty'],
    [['run', '--store=~/evals'], '--store=~/evals holds a ~'],
    [['run', '-o', '~'], '~ holds a ~'],
  ] as const)('of a variable that is not set, or of ~, is refused: %j', (words, message) =>
    expect(() => refuseShellsLeavings(words)).toThrow(message),
  )

  it('is nothing else', () =>
    expect(() =>
      refuseShellsLeavings(['~x', 'a/~', '--description=~ 5 words', '--', '-o', 'x=']),
    ).not.toThrow())

  it('reaches no command', async () => {
    const cwd = createWorkspace()
    const { code, stderr } = await medmake(['redact', ''], { cwd })
    expect([code, stderr]).toEqual([2, expect.stringContaining('cli/missing-value')])
  })
})

it('a run with --suite -d runs nothing', async () => {
  const cwd = createWorkspace()
  const entry = 'demo_multiple_choice:model=baseline/first-choice'
  const { code, stderr } = await medmake(['run', '--run-entries', entry, '--suite', '-d'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toContain('--suite needs a value, and -d is a flag [cli/missing-value]')
})
