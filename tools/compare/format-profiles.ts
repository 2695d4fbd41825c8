import { ProblemError } from '../../cache/problems/problem.ts'
import type { ProfileCause, ProfileComparison } from '../../targets/compare/compare-profiles.ts'
import type { OutputFormat } from './format.ts'
import { number, signed } from './numbers.ts'
import { alignedTable, markdownTable } from './tables.ts'

export interface ProfileReport {
  readonly profiles: readonly [string, string]
  readonly runs: readonly ProfileComparison[]
}

const CAUSE_TEXTS: Readonly<Record<ProfileCause, string>> = {
  'other-questions': 'other questions',
  'other-prompt': 'other prompt',
  'not-measured': 'measured by one only',
  'answer-cut': 'answer cut at max_tokens',
  'judged-otherwise': 'judged otherwise',
  'scored-otherwise': 'scored otherwise',
}

/** @throws ProblemError `cli/bad-flag` for JUnit: two profiles pass or fail nothing */
export const formatProfiles = ({ profiles, runs }: ProfileReport, format: OutputFormat): string => {
  if (format === 'junit')
    throw new ProblemError({
      code: 'cli/bad-flag',
      message: 'two profiles have no tests to report',
      where: { field: '--format' },
      remedy: 'Use --format text, markdown or json.',
    })
  if (format === 'json') return JSON.stringify({ profiles, runs })
  const table = format === 'text' ? alignedTable : markdownTable
  const heads = ['run', 'metric', ...profiles, 'difference', 'of it by', 'requests', 'changed']
  return [
    table(heads, runs.flatMap(rowsOf)),
    '',
    'The same replies under two profiles, and nobody was asked. Requests: those that a cause concerns; changed: those of them with another value. Parts add up to the difference.',
  ].join('\n')
}

const rowsOf = ({ name, metric, a, b, difference, causes }: ProfileComparison): readonly string[][] => {
  const mean = (value: number | null): string => (value === null ? '–' : number(value))
  const own = [name, metric, mean(a.mean), mean(b.mean), difference === null ? '–' : signed(difference)]
  const all = String(Math.max(a.requests, b.requests))
  return [
    [...own, '', all, String(causes.reduce((sum, { changed }) => sum + changed, 0))],
    ...causes.map((each) => [
      '',
      '',
      '',
      '',
      signed(each.difference),
      CAUSE_TEXTS[each.cause],
      String(each.requests),
      String(each.changed),
    ]),
  ]
}
