import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { canonicalJson } from '../../../cache/values/digest.ts'
import { isMapping, type Json } from '../../../cache/values/json.ts'
import { codeAnnotatorKey } from '../../../targets/keys/keys.ts'
import { METRIC_IDS } from '../../../targets/metrics/catalog.ts'
import type { RunCard } from '../run-card.ts'
import { benchmarkHere } from './benchmark-here.ts'

/** A workspace's metrics and annotators, which no release holds. */
export type OwnCode = Pick<Benchmark, 'metrics' | 'ownAnnotators'>

export const isByOwnCode = ({ metrics, ownAnnotators }: RunCard): boolean =>
  ownAnnotators !== undefined || metrics.some(({ metric }) => !METRIC_IDS.includes(metric))

/** The code that scored released runs, of those for which this workspace has the very same: by its digests. */
export const ownCode = async (
  cards: readonly RunCard[],
  context: BenchmarkContext,
): Promise<ReadonlyMap<RunCard, OwnCode>> => {
  const found = new Map<RunCard, OwnCode>()
  for (const card of cards.filter(isByOwnCode)) {
    const here = await codeHere(card, context)
    if (here !== undefined) found.set(card, here)
  }
  return found
}

const codeHere = async (card: RunCard, context: BenchmarkContext): Promise<OwnCode | undefined> => {
  try {
    const { metrics, ownAnnotators = [] } = await benchmarkHere(card.name, context)
    const code = [metrics.map((spec) => spec.code?.digest ?? null), ownAnnotators.map(codeAnnotatorKey)]
    return canonicalJson(code) === canonicalJson(toldCode(card)) ? { metrics, ownAnnotators } : undefined
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** Of each metric its code, and its annotators, as its key has them. */
const toldCode = ({ target: { key } }: RunCard): Json => {
  const { metrics, annotations } = key
  return [
    (Array.isArray(metrics) ? metrics : []).map((each: Json) => partOf(each, 'code') ?? null),
    partOf(annotations, 'own') ?? [],
  ]
}

const partOf = (value: Json | undefined, name: string): Json | undefined =>
  isMapping(value) ? value[name] : undefined
