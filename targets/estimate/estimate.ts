import { ceilingOf, costOf, priceOf, type Price, type Prices } from '../../models/prices/price.ts'
import type { CallGroup } from './group-calls.ts'
import { estimateInput, estimateOutput, type InputEstimate, type OutputEstimate } from './estimate-tokens.ts'
import type { History } from './history.ts'
import type { Range } from './total-range.ts'

/** US dollars. */
export interface UsdEstimate extends Range {
  /** With every reply at its longest. */
  readonly ceiling: number
}

/** What one group of calls will take. */
export interface EstimateLine extends Pick<
  CallGroup,
  'target' | 'benchmark' | 'model' | 'deployment' | 'judge' | 'calls' | 'withoutAnswer' | 'cut'
> {
  readonly inputTokens: InputEstimate
  readonly outputTokens: OutputEstimate
  /** Null without a price. */
  readonly usd: UsdEstimate | null
}

/** How long a deployment's calls take at the least. */
export interface TimeEstimate {
  readonly deployment: string
  readonly calls: number
  /** Null where neither a limit nor the time of any reply is known. */
  readonly minutes: Range | null
}

/** What a deployment lets through. */
interface Pace {
  readonly concurrency: number
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
}

export interface Estimate {
  readonly lines: readonly EstimateLine[]
  readonly calls: number
  readonly inputTokens: UsdEstimate
  readonly outputTokens: UsdEstimate
  /** Null where a price is missing. */
  readonly usd: UsdEstimate | null
  readonly unpriced: readonly string[]
  readonly times: readonly TimeEstimate[]
  /** Deployments work side by side: the slowest one's. Null where any is not known. */
  readonly minutes: Range | null
  readonly prices: readonly Price[]
}

interface EstimateOptions {
  readonly history: History
  readonly prices: Prices
  readonly pace: (deployment: string) => Pace
}

/**
 * What calls will take, in tokens, US dollars and minutes. Cached prompts' discounts and failed attempts are not foreseen.
 * @param groups in the order in which they are shown; a run's own answers before its judges'
 */
export const estimate = (
  groups: readonly CallGroup[],
  { history, prices, pace }: EstimateOptions,
): Estimate => {
  const lines = groups.filter(({ calls }) => calls > 0).map((group) => lineOf(group, groups, history, prices))
  const asked = [...new Set(lines.map(({ deployment }) => deployment))].sort()
  const times = asked.map((deployment) =>
    timeOf(deployment, { lines, pace: pace(deployment), latency: history.latency(deployment) }),
  )
  const usd = lines.flatMap((line) => line.usd ?? [])
  return {
    lines,
    calls: lines.reduce((sum, { calls }) => sum + calls, 0),
    inputTokens: addUp(lines.map(({ inputTokens }) => inputTokens)),
    outputTokens: addUp(lines.map(({ outputTokens }) => outputTokens)),
    usd: usd.length < lines.length ? null : addUp(usd),
    unpriced: asked.filter((deployment) => !prices.has(deployment)),
    times,
    minutes: slowest(times),
    prices: asked.flatMap((deployment) => priceOf(prices, deployment) ?? []),
  }
}

const lineOf = (
  group: CallGroup,
  groups: readonly CallGroup[],
  history: History,
  prices: Prices,
): EstimateLine => {
  const { target, benchmark, model, deployment, judge, calls, withoutAnswer, cut } = group
  const outputTokens = estimateOutput(group, history)
  const inputTokens = estimateInput(group, history, answersFor(group, groups, history))
  const price = priceOf(prices, deployment)
  return {
    target,
    benchmark,
    model,
    deployment,
    judge,
    calls,
    withoutAnswer,
    cut,
    inputTokens,
    outputTokens,
    usd: price === undefined ? null : usdOf(price, inputTokens, outputTokens),
  }
}

const usdOf = (price: Price, inputs: InputEstimate, outputs: OutputEstimate): UsdEstimate => ({
  low: costOf(price, { inputTokens: inputs.low, outputTokens: outputs.low }),
  high: costOf(price, { inputTokens: inputs.high, outputTokens: outputs.high }),
  ceiling: ceilingOf(price, { inputTokens: inputs.ceiling, maxTokens: outputs.ceiling }),
})

/** Another model's tokenizer may cut the same answer otherwise. */
const OTHER_TOKENS = 1.5

/** Answers that a judge's requests still lack: as long as the model's own calls of the same run are expected to be. */
const answersFor = (
  { target, withoutAnswer, answerBound, deployment }: CallGroup,
  groups: readonly CallGroup[],
  history: History,
): UsdEstimate => {
  const own = groups.find((group) => group.target === target && group.judge === null)
  const factor = own?.deployment === deployment ? 1 : OTHER_TOKENS
  const ceiling = answerBound * factor
  // An embedded model's calls are not among the groups.
  if (own === undefined || own.calls === 0) return { low: 0, high: ceiling, ceiling }
  const { low, high } = estimateOutput(own, history)
  const share = withoutAnswer / own.calls
  // Hidden reasoning is no part of an answer.
  const within = (tokens: number): number => Math.min(tokens * share, answerBound)
  return { low: within(low) / factor, high: within(high) * factor, ceiling }
}

const addUp = (all: readonly UsdEstimate[]): UsdEstimate => ({
  low: all.reduce((sum, { low }) => sum + low, 0),
  high: all.reduce((sum, { high }) => sum + high, 0),
  ceiling: all.reduce((sum, { ceiling }) => sum + ceiling, 0),
})

const timeOf = (
  deployment: string,
  {
    lines,
    pace,
    latency,
  }: { readonly lines: readonly EstimateLine[]; readonly pace: Pace; readonly latency: number | undefined },
): TimeEstimate => {
  const own = lines.filter((line) => line.deployment === deployment)
  const calls = own.reduce((sum, line) => sum + line.calls, 0)
  const { requestsPerMinute, tokensPerMinute, concurrency } = pace
  const minutesBy = (bound: 'low' | 'high'): readonly number[] => {
    const tokens = own.reduce((sum, line) => sum + line.inputTokens[bound] + line.outputTokens[bound], 0)
    return [
      ...(requestsPerMinute === undefined ? [] : [calls / requestsPerMinute]),
      ...(tokensPerMinute === undefined ? [] : [tokens / tokensPerMinute]),
      ...(latency === undefined ? [] : [(Math.ceil(calls / concurrency) * latency) / 60]),
    ]
  }
  const [low, high] = [minutesBy('low'), minutesBy('high')]
  return {
    deployment,
    calls,
    minutes: low.length === 0 ? null : { low: Math.max(...low), high: Math.max(...high) },
  }
}

const slowest = (times: readonly TimeEstimate[]): Range | null => {
  const known = times.flatMap(({ minutes }) => minutes ?? [])
  if (known.length < times.length) return null
  return {
    low: Math.max(0, ...known.map(({ low }) => low)),
    high: Math.max(0, ...known.map(({ high }) => high)),
  }
}
