import { TEMPLATE_TOKENS } from '../spend/spending.ts'
import type { CallGroup } from './group-calls.ts'
import type { Basis, Evidence, History } from './history.ts'
import { addRanges, quantile, totalRange, type Range } from './total-range.ts'

/** What rests on other benchmarks' replies may be off by so much. */
const SLACK = 1.25
/** Bytes a token, at most and at least, where nothing is known of a tokenizer. English has about 4. */
const BYTES_A_TOKEN = { most: 8, least: 2 }
/** What chat templates add to a request at the least and usually at most, tokens. */
const TEMPLATE = 16
/** Of `max_tokens`, where no reply is known: a guess, and said to be one. */
const STATED_MEDIAN = 0.25

export interface InputEstimate extends Range {
  readonly ceiling: number
  /** `tokenizer`: counted; else whose replies told how many tokens such requests have. */
  readonly basis: Basis | 'tokenizer'
}

export interface OutputEstimate extends Range {
  readonly ceiling: number
  /** Of a single reply. */
  readonly p50: number
  readonly p95: number
  readonly basis: Basis
  /** Replies that it rests on. */
  readonly samples: number
}

const evidenceOf = ({ deployment, benchmark, judge }: CallGroup, history: History): Evidence =>
  history.nearest({ deployment, benchmark, judged: judge !== null })

/** How long the replies to a group's calls will be. */
export const estimateOutput = (group: CallGroup, history: History): OutputEstimate => {
  const { calls, outputBound } = group
  const longest = calls === 0 ? 0 : outputBound / calls
  const { basis, samples } = evidenceOf(group, history)
  // Where replies cost more than their requests allow, max_tokens bounds none.
  const isBound = samples.every(({ overran = false }) => !overran)
  const tokens = samples.map(({ outputTokens }) => (isBound ? Math.min(outputTokens, longest) : outputTokens))
  const common = { ceiling: outputBound, basis, samples: samples.length }
  if (basis === 'stated')
    return { ...common, low: calls, high: outputBound, p50: Math.ceil(longest * STATED_MEDIAN), p95: longest }
  const { low, high } =
    basis === 'benchmark'
      ? totalRange(
          tokens.map((value) => ({ value, size: 1 })),
          calls,
          calls,
        )
      : { low: calls * quantile(tokens, 0), high: calls * quantile(tokens, 1) }
  return {
    ...common,
    low,
    high: isBound ? Math.min(outputBound, high) : high,
    ceiling: isBound ? outputBound : Math.max(outputBound, high),
    p50: quantile(tokens, 0.5),
    p95: quantile(tokens, 0.95),
  }
}

/**
 * How many tokens a group's requests will be charged as. What the provider told of such requests goes before our own
 * count where the two disagree: the provider writes the bill.
 *
 * @param answers tokens of the answers that the requests still lack
 */
export const estimateInput = (
  group: CallGroup,
  history: History,
  answers: Range & { readonly ceiling: number },
): InputEstimate => {
  const { calls, promptBytes, counted, withoutAnswer } = group
  const evidence = evidenceOf(group, history)
  const bound = (counted ?? promptBytes) + calls * TEMPLATE_TOKENS
  const told = toldInput(group, evidence, answers)
  const exact =
    counted === null ? undefined : addRanges([{ low: counted, high: counted + calls * TEMPLATE }, answers])
  const ceiling = bound + answers.ceiling
  if (exact !== undefined && (told === undefined || overlap(exact, told)))
    return {
      // Nothing but the template is in doubt.
      ...exact,
      ceiling: Math.max(ceiling, exact.high),
      basis: withoutAnswer === 0 ? 'tokenizer' : evidence.basis,
    }
  const range = told ?? addRanges([statedInput(promptBytes), answers])
  return { ...range, ceiling: Math.max(ceiling, range.high), basis: evidence.basis }
}

const toldInput = (
  { calls, promptBytes, withoutAnswer }: CallGroup,
  { basis, samples }: Evidence,
  answers: Range,
): Range | undefined => {
  if (basis === 'stated') return undefined
  // Requests to a judge whose answers are still to come are as long as those before them were.
  if (withoutAnswer > 0 && basis === 'benchmark')
    return totalRange(
      samples.map(({ inputTokens }) => ({ value: inputTokens, size: 1 })),
      calls,
      calls,
    )
  const seen = samples.map(({ inputTokens, promptBytes: size }) => ({ value: inputTokens, size }))
  const { low, high } = totalRange(seen, calls, promptBytes)
  if (basis === 'benchmark') return { low, high }
  return addRanges([{ low: low / SLACK, high: high * SLACK }, answers])
}

const statedInput = (bytes: number): Range => ({
  low: bytes / BYTES_A_TOKEN.most,
  high: bytes / BYTES_A_TOKEN.least,
})

const overlap = (a: Range, b: Range): boolean => a.low <= b.high && b.low <= a.high
