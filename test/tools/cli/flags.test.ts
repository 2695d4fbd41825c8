import { expect, test } from 'vitest'
import {
  boolFlag,
  choiceFlag,
  countFlag,
  portFlag,
  listFlag,
  nameFlag,
  namesFlag,
  textFlag,
  usdFlag,
} from '../../../tools/cli/flags.ts'
import { referenceFlag } from '../../../tools/cli/rate/serve.ts'
import { summarizeAction } from '../../../tools/cli/summarize/action.ts'
import { refuseStraySuite } from '../../../tools/cli/refused-words.ts'
import { problemOf } from '../../rig/problem-of.ts'

const told = async (work: () => unknown): Promise<string | undefined> =>
  (await problemOf(async () => work()))?.message

test('A desk hides references until they are asked for, unless the flag says otherwise', async () => {
  expect(referenceFlag({})).toBe('closed')
  for (const how of ['closed', 'open', 'never']) expect(referenceFlag({ reference: how })).toBe(how)
  expect(await told(() => referenceFlag({ reference: 'shut' }))).toContain('--reference shut')
})

test('A flag is read as what it is, and is missing as anything else', () => {
  const flags = { text: 'a', list: ['a', 'b'], given: true }
  expect(['text', 'list', 'given', 'none'].map((name) => textFlag(flags, name))).toEqual([
    'a',
    undefined,
    undefined,
    undefined,
  ])
  expect(['text', 'list', 'given', 'none'].map((name) => listFlag(flags, name))).toEqual([
    undefined,
    ['a', 'b'],
    undefined,
    undefined,
  ])
  expect(['text', 'list', 'given', 'none'].map((name) => boolFlag(flags, name))).toEqual([
    false,
    false,
    true,
    false,
  ])
})

test.each([
  ['0', 0, 0],
  ['1', 1, 1],
  ['007', 1, 7],
])('%s is a whole number of at least %i', (text, least, value) => {
  expect(countFlag({ maxCalls: text }, 'maxCalls', least)).toBe(value)
})

test.each([
  ['0', 1],
  ['-1', 0],
  ['1.5', 1],
  ['1e3', 1],
  ['', 0],
  ['ten', 1],
  ['1000000000', 1],
  ['99999999999999999999', 0],
])('“%s” is no whole number of at least %i', async (text, least) => {
  expect(await told(() => countFlag({ maxCalls: text }, 'maxCalls', least))).toBe(
    `--max-calls ${text} is not a whole number of at least ${least}, and below a billion`,
  )
})

test('A count may have a limit of its own', async () => {
  expect(countFlag({ tasks: '4000000' }, 'tasks', 1, 4_000_001)).toBe(4_000_000)
  expect(await told(() => countFlag({ tasks: '4000001' }, 'tasks', 1, 4_000_001))).toBe(
    '--tasks 4000001 is not a whole number of at least 1, and below 4,000,001',
  )
})

test('Zero is no count unless it may be', async () => {
  expect(countFlag({}, 'trials')).toBeUndefined()
  expect(await told(() => countFlag({ trials: '0' }, 'trials'))).toContain('at least 1')
})

test('An amount of US dollars has digits and at most one point, and no sign', async () => {
  expect(['0', '2', '2.50', '.5'].map((maxUsd) => usdFlag({ maxUsd }, 'maxUsd'))).toEqual([0, 2, 2.5, 0.5])
  expect(usdFlag({}, 'maxUsd')).toBeUndefined()
  for (const maxUsd of ['-1', '+1', '1.', '.', '1,5', '1e2', '$1', 'Infinity', ''])
    expect(await told(() => usdFlag({ maxUsd }, 'maxUsd'))).toBe(
      `--max-usd ${maxUsd} is no amount of US dollars`,
    )
})

test('A flag without effect is still held to what it takes: threads of helm-summarize are a number.', async () => {
  const summarized = (numThreads: string) =>
    told(() => summarizeAction({ flags: { numThreads } } as unknown as Parameters<typeof summarizeAction>[0]))
  expect(await summarized('x')).toContain('--num-threads x is not a whole number')
})

test('A choice is one of its words, and who writes another is told them by the flag as it is written', async () => {
  expect(choiceFlag({ groupBy: 'model' }, 'groupBy', ['model', 'judge'])).toBe('model')
  expect(choiceFlag({}, 'groupBy', ['model', 'judge'])).toBeUndefined()
  expect(
    await problemOf(async () => choiceFlag({ groupBy: 'jduge' }, 'groupBy', ['model', 'judge'])),
  ).toMatchObject({
    code: 'cli/bad-flag',
    message: '--group-by jduge is none of the choices',
    where: { field: '--group-by' },
    remedy: 'Did you mean "judge"? Choices: model, judge.',
  })
})

test('A name of a folder leads nowhere else', async () => {
  expect(['main', 'a.b', 'ä 1'].map((suite) => nameFlag({ suite }, 'suite'))).toEqual(['main', 'a.b', 'ä 1'])
  expect(namesFlag({ suites: ['a', 'b'] }, 'suites')).toEqual(['a', 'b'])
  expect([nameFlag({}, 'suite'), namesFlag({}, 'suites')]).toEqual([undefined, undefined])
  for (const suite of ['', '.', '..', '.a', 'a/b', String.raw`a\b`, '/a', 'a\nb'])
    expect(await told(() => nameFlag({ suite }, 'suite'))).toContain('is no name of a folder')
  expect(await told(() => namesFlag({ suites: ['a', '..'] }, 'suites'))).toContain('--suites ".."')
})

test('--suite without entries is refused, whatever else is named', async () => {
  const stray = (flags: Record<string, string | readonly string[]>, args: readonly string[] = []) =>
    told(() => refuseStraySuite({ args, flags }))
  expect(await stray({ suite: 'main' })).toContain('there are none')
  expect(await stray({ suite: 'main' }, ['demo'])).toContain('demo has its own')
  expect(await stray({ suite: 'main' }, ['a', 'b'])).toContain('a, b have their own')
  for (const entries of ['confPaths', 'runEntries', 'runSpecs'])
    expect(() => refuseStraySuite({ args: [], flags: { suite: 'main', [entries]: ['x'] } })).not.toThrow()
  expect(() => refuseStraySuite({ args: ['demo'], flags: {} })).not.toThrow()
})

test('A port is one that a machine has.', async () => {
  expect([portFlag({}), portFlag({ port: '0' }), portFlag({ port: '65535' })]).toEqual([undefined, 0, 65_535])
  expect(await told(() => portFlag({ port: '65536' }))).toContain('--port 65536 is no port')
})
