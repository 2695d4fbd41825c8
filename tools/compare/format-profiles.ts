import { ProblemError } from '../../cache/problems/problem.ts'
import type { ProfileCause } from '../../targets/compare/profiles/causes.ts'
import type { ProfileComparison, ProfileSide } from '../../targets/compare/profiles/compare-profiles.ts'
import type { OutputFormat } from './format.ts'
import { alignedTable, markdownTable } from '../../cache/words/tables.ts'
import { formatDifference, valueOrDash, orDash } from '../../cache/words/number-text.ts'

interface ProfileReport {
  readonly profiles: readonly [string, string]
  readonly runs: readonly ProfileComparison[]
}

const CAUSE_TEXTS: Readonly<Record<ProfileCause, string>> = {
  unanswerable: 'unanswerable questions, asked by one only',
  'other-questions': 'other questions',
  'not-measured': 'measured by one only',
  folded: 'points below 0 folded',
  'mixed-in': "other judges' grades, closeness to a physician's answer",
  'asked-otherwise': 'asked otherwise',
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
    ...NOTES.filter(({ when }) => runs.some(when)).map(({ text }) => text),
  ].join('\n')
}

const NOTES: readonly { readonly when: (run: ProfileComparison) => boolean; readonly text: string }[] = [
  {
    when: () => true,
    text: 'What the store holds under two profiles; nobody was asked. Requests: those that a cause concerns; changed: those of them with another value. Parts add up to the difference.',
  },
  {
    when: ({ causes }) => causes.some(({ cause }) => cause === 'folded'),
    text: 'Folded: the same replies and verdicts of graders by the other rule. What is asked otherwise has other replies and verdicts.',
  },
  {
    when: ({ a, b }) => [a, b].some(({ rescored }) => rescored),
    text: "* Not run under this profile: the points of the other one's verdicts by its rule.",
  },
]

const rowsOf = ({
  name,
  metric,
  a,
  b,
  difference,
  changed,
  causes,
  askedOtherwise,
}: ProfileComparison): readonly string[][] => {
  const mean = ({ mean: value, rescored }: ProfileSide): string =>
    `${valueOrDash(value)}${rescored ? '*' : ''}`
  const own = [name, metric, mean(a), mean(b), orDash(difference, formatDifference)]
  const all = String(Math.max(a.requests, b.requests))
  const textOf = (cause: ProfileCause): string =>
    cause === 'asked-otherwise' ? `${CAUSE_TEXTS[cause]}: ${askedOtherwise.join(', ')}` : CAUSE_TEXTS[cause]
  return [
    [...own, '', all, String(changed)],
    ...causes.map((each) => [
      '',
      '',
      '',
      '',
      formatDifference(each.difference),
      textOf(each.cause),
      String(each.requests),
      String(each.changed),
    ]),
  ]
}
