import { EXIT, type ProblemError } from '../../../cache/problems/problem.ts'
import {
  instancesFor,
  planAt,
  type Aim,
  type Expected,
  type Planned,
} from '../../../targets/statistics/power/plan-benchmark.ts'
import { alignedTable } from '../../../cache/words/tables.ts'
import {
  badFlag,
  boolFlag,
  countFlag,
  flagNamed,
  listFlag,
  refuseBeside,
  requireBeside,
  textFlag,
} from '../flags.ts'
import type { Action, FlagValues } from '../verb.ts'
import { formatValue } from '../../../cache/words/number-text.ts'

/** `medmake power`: by the very tests that compare and ci use; reads nothing, calls nobody. */
export const powerAction: Action = ({ flags, print }) => {
  const aim: Aim = { alpha: 0.05, power: numberFlag(flags, 'power', { least: 0.1, most: 0.999 }) ?? 0.8 }
  const expected = expectedOf(flags)
  const range = 'range' in expected.spread ? expected.spread.range : 1
  const difference = numberFlag(flags, 'difference', { least: 0, most: range })
  if (difference === 0) throw bad('--difference', '0', `above 0 and up to ${range}`)
  const counts = (listFlag(flags, 'instances') ?? ['100', '300', '1000']).map((text) => {
    const count = Number(text)
    if (!/^\d+$/.test(text) || count < 1 || count > 1_000_000)
      throw bad('--instances', text, 'a whole number from 1 to 1000000')
    return count
  })
  const plans = counts.map((count) => planAt(count, expected, aim))
  const needed = difference === undefined ? undefined : instancesFor(difference, expected, aim)
  if (boolFlag(flags, 'json'))
    print(
      JSON.stringify({
        ...aim,
        expected,
        plans,
        ...(difference !== undefined && { difference, needed: needed ?? null }),
      }),
    )
  else print(textOf(plans, aim, difference === undefined ? undefined : { difference, needed }))
  return Promise.resolve(EXIT.done)
}

const expectedOf = (flags: FlagValues): Expected => {
  // Of 0/1 answers the one, of scores the others.
  refuseBeside(flags, 'sd', ['discordant'])
  requireBeside(flags, 'sd', ['range'])
  requireBeside(flags, 'perSource', ['correlation'])
  const deviation = numberFlag(flags, 'sd', { least: 0.000001, most: Infinity })
  const range = numberFlag(flags, 'range', { least: 0.000001, most: Infinity }) ?? 4
  // Half of the differences at each end of the scale vary the most.
  if (deviation !== undefined && deviation > range)
    throw bad('--sd', String(deviation), `a number up to --range ${range}`)
  const share = { least: 0, most: 1 }
  return {
    perSource: countFlag(flags, 'perSource') ?? 1,
    correlation: numberFlag(flags, 'correlation', share) ?? 0.3,
    spread:
      deviation === undefined
        ? { discordant: numberFlag(flags, 'discordant', share) ?? 0.2 }
        : { deviation, range },
  }
}

const textOf = (
  plans: readonly Planned[],
  { power }: Aim,
  asked: { readonly difference: number; readonly needed: Planned | undefined } | undefined,
): string =>
  [
    alignedTable(
      ['instances', 'sources', 'notices a difference of'],
      plans.map(({ instances, sources, detectable }) => [
        String(instances),
        String(sources),
        detectable === null ? 'none at this n' : formatValue(detectable),
      ]),
    ),
    '',
    ...(asked === undefined ? [] : [neededText(asked.difference, asked.needed)]),
    `With a chance of ${power}, two-sided at 5 %, by the test that compare uses. Where several benchmarks are compared at once, Holm asks for more.`,
  ].join('\n')

const neededText = (difference: number, needed: Planned | undefined): string =>
  needed === undefined
    ? `No number of instances up to a million shows ${difference}.`
    : `${difference} takes ${needed.instances} instances of ${needed.sources} sources.`

interface Limits {
  readonly least: number
  readonly most: number
}

const numberFlag = (flags: FlagValues, name: string, { least, most }: Limits): number | undefined => {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && value >= least && value <= most) return value
  throw bad(
    flagNamed(name),
    text,
    most === Infinity ? `a number of at least ${least}` : `a number from ${least} to ${most}`,
  )
}

const bad = (flag: string, text: string, wanted: string): ProblemError =>
  badFlag(flag, `${flag} ${text} is not ${wanted}`, `Give ${wanted}.`)
