import { compareCodePoints } from '../../benchmarks/python/text.ts'
import type { Price, Prices } from '../../models/prices/price.ts'
import {
  costLines,
  costTotal,
  costTotals,
  type CostLine,
  type CostInput,
  type CostTotal,
} from '../../targets/board/cost-table.ts'
import type { Built } from '../../targets/runs/built.ts'
import { judgeRequest } from '../../targets/stages/judge-request.ts'

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

const costRun = ({ target, record }: Built): CostInput => {
  const { adapter, benchmark } = target.spec
  return {
    benchmark: benchmark.name,
    deployment: adapter.modelDeployment,
    maxTokens: adapter.maxTokens * adapter.numOutputs,
    judgeMaxTokens: judgeRequest('').maxTokens,
    usage: record.usage,
  }
}
