import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { groupBy } from '../../cache/lists.ts'
import { ceilingOf, priceOf, type Price, type Prices } from '../../models/prices/price.ts'
import type { UsageWithJudges, TokenUsage } from '../record/completion.ts'
import { observedCost, outputBound, sumOfCosts } from '../spend/spending.ts'
import type { Built } from '../runs/board-metric.ts'
import { graderRequest, judgeRequest } from '../stages/judge.ts'
import { addUsages } from './board-cost.ts'

/** What a cost table reads of a run. */
export interface CostInput {
  readonly benchmark: string
  readonly deployment: string
  /** Most tokens of a reply, of the model and of each judge by name. */
  readonly maxTokens: number
  readonly judgeMaxTokens: (judge: string) => number
  readonly usage: UsageWithJudges
}

/** What one deployment answered or judged, in one benchmark or in several. */
interface CostLine {
  /** The model that was evaluated: judges' calls were about its answers. */
  readonly model: string
  readonly benchmark: string
  /** Name of the judge; null for the model's own answers. */
  readonly judge: string | null
  /** Who was asked. */
  readonly deployment: string
  readonly usage: TokenUsage
  /** US dollars; null where a price or the tokens of any reply are not known. */
  readonly usd: number | null
  /** The same with every reply at its longest and nothing cached, as MedHELM's Table 3 has it. */
  readonly ceiling: number | null
}

/** A line per model, benchmark and judge, in this order; runs of the same benchmark are added up. */
export const costLines = (runs: readonly CostInput[], prices: Prices): readonly CostLine[] => {
  const groups = groupBy(runs.flatMap(partsOf), ({ model, benchmark, judge, deployment }) =>
    JSON.stringify([model, benchmark, judge, deployment]),
  )
  return [...groups.values()].flatMap((parts) => lineOf(parts, prices)).sort(inOrder)
}

type Part = Pick<CostLine, 'model' | 'benchmark' | 'judge' | 'deployment' | 'usage'> & {
  readonly maxTokens: number
}

const partsOf = ({ benchmark, deployment, maxTokens, judgeMaxTokens, usage }: CostInput): readonly Part[] => [
  { model: deployment, benchmark, judge: null, deployment, usage: addUsages([usage]), maxTokens },
  ...Object.entries(usage.judges).map(([judge, own]) => ({
    model: deployment,
    benchmark,
    judge,
    deployment: own.deployment,
    usage: addUsages([own]),
    maxTokens: judgeMaxTokens(judge),
  })),
]

const lineOf = (parts: readonly Part[], prices: Prices): readonly CostLine[] => {
  const [first] = parts
  if (first === undefined) return []
  const { model, benchmark, judge, deployment } = first
  const usage = addUsages(parts.map((part) => part.usage))
  const price = priceOf(prices, deployment)
  const maxTokens = parts.reduce((sum, part) => sum + part.usage.calls * part.maxTokens, 0)
  const usd = observedCost(usage, price)
  return [
    {
      model,
      benchmark,
      judge,
      deployment,
      usage,
      usd,
      ceiling:
        price === undefined || usd === null
          ? null
          : ceilingOf(price, { inputTokens: usage.inputTokens, maxTokens }),
    },
  ]
}

/** A model's own answers before its judges'. */
const inOrder = (a: CostLine, b: CostLine): number =>
  compareCodePoints(a.model, b.model) ||
  compareCodePoints(a.benchmark, b.benchmark) ||
  compareCodePoints(a.judge ?? '', b.judge ?? '')

/** Sums of lines: dollars of the answers, of the juries and of both, each null where a part of it is not known. */
export interface CostTotal {
  readonly name: string
  readonly usage: TokenUsage
  readonly answers: number | null
  readonly jury: number | null
  readonly usd: number | null
  readonly ceiling: number | null
}

/** @param by names the total that a line belongs to; undefined for lines that are left out */
export const costTotals = (
  lines: readonly CostLine[],
  by: (line: CostLine) => string | undefined,
): readonly CostTotal[] =>
  [...groupBy(lines, by)]
    .map(([name, own]) => costTotal(name, own))
    .sort((a, b) => compareCodePoints(a.name, b.name))

export const costTotal = (name: string, lines: readonly CostLine[]): CostTotal => ({
  name,
  usage: addUsages(lines.map(({ usage }) => usage)),
  answers: sumOfCosts(lines.filter(({ judge }) => judge === null).map(({ usd }) => usd)),
  jury: sumOfCosts(lines.filter(({ judge }) => judge !== null).map(({ usd }) => usd)),
  usd: sumOfCosts(lines.map(({ usd }) => usd)),
  ceiling: sumOfCosts(lines.map(({ ceiling }) => ceiling)),
})

/** What built runs took, from several sides. */
export interface CostsReport {
  readonly lines: readonly CostLine[]
  readonly models: readonly CostTotal[]
  readonly benchmarks: readonly CostTotal[]
  /** By judge: its calls alone. */
  readonly judges: readonly CostTotal[]
  readonly total: CostTotal
  /** The prices that were charged. */
  readonly prices: readonly Price[]
  /** Deployments that were asked and whose price nobody told. */
  readonly unpriced: readonly string[]
}

/** A run that several suites share counts once. */
export const costsReport = (built: readonly Built[], prices: Prices): CostsReport => {
  const runs = [...new Map(built.map((run) => [run.digest, run])).values()]
  const lines = costLines(runs.map(costRun), prices)
  const asked = [...new Set(lines.map(({ deployment }) => deployment))].sort(compareCodePoints)
  return {
    lines,
    models: costTotals(lines, ({ model }) => model),
    benchmarks: costTotals(lines, ({ benchmark }) => benchmark),
    judges: costTotals(lines, ({ judge }) => judge ?? undefined),
    total: costTotal('all', lines),
    prices: asked.flatMap((deployment) => prices.get(deployment) ?? []),
    unpriced: asked.filter((deployment) => !prices.has(deployment)),
  }
}

const costRun = ({ target: { spec, deployment, judges }, record }: Built): CostInput => {
  const { adapter, benchmark } = spec
  const style = benchmark.jury?.grading?.style
  const asking = style === undefined ? judgeRequest('') : graderRequest('', style)
  return {
    benchmark: benchmark.name,
    deployment: adapter.modelDeployment,
    maxTokens: outputBound({ maxTokens: adapter.maxTokens, n: adapter.numOutputs }, deployment),
    judgeMaxTokens: (name) => {
      const asked = judges.find(({ judge }) => judge.name === name)
      return asked === undefined ? asking.maxTokens : outputBound(asking, asked.deployment)
    },
    usage: record.usage,
  }
}
