import type { PairedSides } from '../statistics/paired/paired-sides.ts'
import type { RunPair } from './compare-runs.ts'
import { pairInstances } from './pair-instances.ts'

/** Two sides with a name for each question, the same whatever model was asked. */
export interface NamedSides extends PairedSides {
  readonly questions: readonly string[]
}

/** A metric's values of two runs on the instances that both were asked; NaN where one has none that could be read. */
export const pairedSides = ({ a, b }: RunPair, metric: string): NamedSides => {
  const pairs = pairInstances(a.instances, b.instances)
  // No source has such a name.
  const questions = pairs.map((pair) => `question\u0000${b.benchmark}\u0000${pair.b.digest}`)
  const sources = pairs.map((pair) => pair.b.cluster)
  return {
    benchmark: b.benchmark,
    questions,
    a: pairs.map((pair) => pair.a.values.get(metric) ?? NaN),
    b: pairs.map((pair) => pair.b.values.get(metric) ?? NaN),
    // Instances without a source among others that have one stand for themselves.
    ...(sources.some((source) => source !== undefined) && {
      sources: sources.map((source, at) => source ?? questions[at] ?? ''),
    }),
  }
}
