import { groupBy } from '../../cache/lists.ts'
import { countText, plural } from '../../cache/words/number-text.ts'
import { csvText } from '../../cache/words/csv-text.ts'
import { alignedTable, tabulated, type TextColumns } from '../../cache/words/tables.ts'
import type { EstimateLine, TimeEstimate, UsdEstimate } from '../../targets/estimate/estimate.ts'
import type { Range } from '../../targets/estimate/total-range.ts'
import type { TargetsEstimate } from '../../targets/estimate/estimate-targets.ts'
import { unpricedLines, usdText } from './money-text.ts'

const count = (value: number): string => countText(Math.round(value))

const range = ({ low, high }: Range, text: (value: number) => string): string =>
  text(low) === text(high) ? text(low) : `${text(low)} – ${text(high)}`

const usdRange = (usd: UsdEstimate | null): readonly [string, string] =>
  usd === null ? ['unknown', 'unknown'] : [range(usd, usdText), usdText(usd.ceiling)]

const minutes = (value: number): string => (value < 1 ? '< 1' : count(value))

const HEADS = [
  'run',
  'judge',
  'calls',
  'tokens in',
  'tokens out',
  'P50 / P95 a reply',
  'USD',
  'at max_tokens',
]

const BASES: Readonly<Record<EstimateLine['inputTokens']['basis'], string>> = {
  tokenizer: '',
  benchmark: '',
  deployment: '*',
  stated: '**',
}

const row = ({ target, judge, calls, inputTokens, outputTokens, usd }: EstimateLine): readonly string[] => [
  target,
  judge ?? '',
  count(calls),
  `${range(inputTokens, count)}${BASES[inputTokens.basis]}`,
  `${range(outputTokens, count)}${BASES[outputTokens.basis]}`,
  `${count(outputTokens.p50)} / ${count(outputTokens.p95)}`,
  ...usdRange(usd),
]

/** The lines, their sum, what they rest on, the time and the prices. */
export const formatEstimate = (estimate: TargetsEstimate): string => {
  const {
    lines,
    calls,
    targets,
    fresh,
    sent,
    unread,
    inputTokens,
    outputTokens,
    usd,
    times,
    minutes: slowest,
  } = estimate
  const head = `${plural(targets, 'target')}: ${fresh} fresh, ${targets - fresh - unread.length} to build; ${count(calls)} ${calls === 1 ? 'call' : 'calls'} to pay for${sent === 0 ? '' : `, beside ${count(sent)} that batches have`}`
  if (lines.length === 0) return head
  const total = [
    'all',
    '',
    count(calls),
    range(inputTokens, count),
    range(outputTokens, count),
    '',
    ...usdRange(usd),
  ]
  return [
    head,
    alignedTable(HEADS, [...lines.map(row), total]),
    notes(estimate).join('\n'),
    timesText(times, slowest),
    ...pricesText(estimate),
  ].join('\n\n')
}

/** A line for each reason why data can't be read: its runs share it. */
export const unreadLines = ({ unread }: TargetsEstimate): readonly string[] =>
  [...groupBy(unread, ({ code, reason }) => `${reason} [${code}]`)].map(([why, [first, ...more]]) => {
    const others = more.length === 0 ? '' : ` and ${more.length} more`
    return `Not estimated: ${first?.run ?? ''}${others}: ${why}`
  })

const notes = ({ lines }: TargetsEstimate): readonly string[] => {
  const bases = new Set(
    lines.flatMap(({ inputTokens, outputTokens }) => [inputTokens.basis, outputTokens.basis]),
  )
  return [
    'A range holds the sum with 99 % confidence, as far as earlier replies to the same benchmark tell.',
    ...(bases.has('deployment') ? ['*  from the same deployment’s replies to other benchmarks.'] : []),
    ...(bases.has('stated')
      ? [
          '** no replies to judge by: a token is taken for 2 to 8 bytes, a reply for 1 to max_tokens tokens, a quarter of max_tokens at P50.',
        ]
      : []),
    ...(lines.some(({ withoutAnswer }) => withoutAnswer > 0)
      ? ['Judges’ prompts are taken with the answers’ expected lengths.']
      : []),
    'Failed attempts and discounts for cached prompts are not foreseen.',
    ...lines
      .filter(({ cut }) => cut > 0)
      .map(
        ({ target, cut, calls, deployment }) =>
          `${target}: ${count(cut)} of ${plural(calls, 'prompt')} ${cut === 1 ? 'is' : 'are'} too long for ${deployment} and sent without ${cut === 1 ? 'its' : 'their'} end, the question where it stands there.`,
      ),
  ]
}

const timesText = (times: readonly TimeEstimate[], slowest: Range | null): string =>
  [
    slowest === null
      ? 'Minutes: unknown'
      : `Minutes: ${range(slowest, minutes)}, at the known limits and the replies’ usual times`,
    ...times.map(
      (time) =>
        `  ${time.deployment}: ${count(time.calls)} calls, ${time.minutes === null ? 'no limit and no reply to judge by' : `${range(time.minutes, minutes)} min`}`,
    ),
  ].join('\n')

const pricesText = ({ prices, unpriced }: TargetsEstimate): readonly string[] => [
  ...(prices.length === 0
    ? []
    : [
        [
          'Prices in US dollars per million tokens:',
          ...prices.map(
            ({ deployment, input, output, date, source }) =>
              `  ${deployment}: ${input} in, ${output} out, ${date}, ${source}`,
          ),
        ].join('\n'),
      ]),
  ...unpricedLines(unpriced),
]

const CSV: TextColumns<EstimateLine, string | number | null> = [
  ['run', ({ target }) => target],
  ['benchmark', ({ benchmark }) => benchmark],
  ['model', ({ model }) => model],
  ['judge', ({ judge }) => judge],
  ['deployment', ({ deployment }) => deployment],
  ['calls', ({ calls }) => calls],
  ['input_tokens_low', ({ inputTokens }) => inputTokens.low],
  ['input_tokens_high', ({ inputTokens }) => inputTokens.high],
  ['input_tokens_ceiling', ({ inputTokens }) => inputTokens.ceiling],
  ['input_basis', ({ inputTokens }) => inputTokens.basis],
  ['output_tokens_low', ({ outputTokens }) => outputTokens.low],
  ['output_tokens_high', ({ outputTokens }) => outputTokens.high],
  ['output_tokens_ceiling', ({ outputTokens }) => outputTokens.ceiling],
  ['output_tokens_p50', ({ outputTokens }) => outputTokens.p50],
  ['output_tokens_p95', ({ outputTokens }) => outputTokens.p95],
  ['output_basis', ({ outputTokens }) => outputTokens.basis],
  ['replies_known', ({ outputTokens }) => outputTokens.samples],
  ['usd_low', ({ usd }) => usd?.low ?? null],
  ['usd_high', ({ usd }) => usd?.high ?? null],
  ['usd_ceiling', ({ usd }) => usd?.ceiling ?? null],
]

/** A row for each run and judge. */
export const csvEstimate = ({ lines }: TargetsEstimate): string => csvText(...tabulated(CSV, lines))
