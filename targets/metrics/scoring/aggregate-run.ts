import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { PerInstanceStats, Stat } from '../../record/stat.ts'
import type { Metric, MetricPoint } from '../metric.ts'
import { Tally, TrialSums, type NamedTally, type SplitContext } from './trial-sums.ts'

/** Which instance of which trial some values belong to. */
interface InstanceContext {
  readonly instance: Pick<Instance, 'id' | 'split' | 'subSplit'>
  readonly trainTrialIndex: number
}

/** Stats that HELM would have written and that are not computed here. */
export interface Omission {
  readonly names: string
  readonly context: SplitContext
  readonly reason: string
}

interface AggregateStats {
  /** In the order of HELM's stats.json. As in HELM a sum may be NaN; such stats are not written. */
  readonly stats: readonly Stat[]
  readonly omitted: readonly Omission[]
}

const splitContext = ({ split, subSplit }: InstanceContext['instance']): SplitContext =>
  subSplit === undefined ? { split } : { split, subSplit }

/**
 * The element of per_instance_stats.json for one metric object and one instance.
 * Undefined where the metric has no values: HELM then writes no element.
 */
export const perInstanceStats = (
  { instance, trainTrialIndex }: InstanceContext,
  points: readonly MetricPoint[],
): PerInstanceStats | undefined => {
  if (points.length === 0) return undefined
  const context = splitContext(instance)
  const stats = points.map(({ name, value, float }) => {
    const tally = new Tally()
    tally.add(value, float)
    return tally.stat({ name, ...context })
  })
  return { instanceId: instance.id, trainTrialIndex, stats }
}

const mergeTrials = (trials: readonly TrialSums[]): readonly Stat[] => {
  const merged = new Map<string, NamedTally>()
  for (const [name, tally] of trials.flatMap((trial) => trial.stats())) {
    const key = JSON.stringify([name.name, name.split, name.subSplit, name.perturbation?.name])
    const known = merged.get(key)
    if (known === undefined) merged.set(key, [name, tally.takeMean()])
    else known[1].merge(tally.takeMean())
  }
  return [...merged.values()].map(([name, tally]) => tally.stat(name))
}

const omissions = (trials: readonly TrialSums[]): readonly Omission[] => {
  const contexts = trials.flatMap((trial) => trial.unscaled())
  const distinct = new Map(contexts.map((context) => [JSON.stringify(context), context]))
  return [...distinct.values()].map((context) => ({
    names: 'platt_*',
    context,
    reason: 'Confidence alone tells right from wrong answers, or all are as sure: no finite scaling exists.',
  }))
}

/** What a metric says of its stats of splits. */
type Aggregated = Pick<Metric, 'ofSplit'>

interface Trial {
  /** One per metric object. */
  readonly sums: readonly TrialSums[]
  readonly ids: Set<string | number>
}

/**
 * Adds up a run's values, instance by instance, to the stats of HELM's stats.json (HELM.md T15).
 * It keeps sums and ids only, so values may stream through it, fresh or from the cache. Sums of floats depend on the
 * order of adding: add the instances of a trial in the run's order. Trials may come in any order.
 */
export class StatsAggregator {
  private readonly metrics: readonly Aggregated[]
  private readonly trials = new Map<number, Trial>()

  /** @param metrics of the run's metric objects, in order; the same one may occur again */
  constructor(metrics: readonly Aggregated[]) {
    this.metrics = metrics
  }

  /**
   * Adds one evaluated instance: per metric object, in their order, its values. An instance whose request finally
   * failed is not added.
   * @throws ProblemError when an id or a metric name comes twice, which HELM does not allow either
   */
  add(context: InstanceContext, points: readonly (readonly MetricPoint[])[]): void {
    const { id } = context.instance
    const trial = this.trial(context.trainTrialIndex)
    if (trial.ids.has(id))
      throw new ProblemError({
        code: 'targets/repeated-instance-id',
        message: `two instances have the id ${JSON.stringify(id)}`,
        remedy: 'Give every instance of the benchmark an id of its own.',
      })
    const split = splitContext(context.instance)
    trial.sums.forEach((sums, index) => sums.add(split, trial.ids.size, points[index] ?? []))
    trial.ids.add(id)
  }

  /** Each trial's mean of each stat, merged over the trials: `count` is a number of trials. */
  result(): AggregateStats {
    return {
      stats: this.metrics.flatMap((_, index) => mergeTrials(this.sumsOf(index))),
      omitted: this.metrics.flatMap((_, index) => omissions(this.sumsOf(index))),
    }
  }

  /** Sums of one metric object, trial by trial. */
  private sumsOf(metric: number): readonly TrialSums[] {
    return [...this.trials]
      .sort(([a], [b]) => a - b)
      .flatMap(([, { sums }]) => sums.slice(metric, metric + 1))
  }

  private trial(index: number): Trial {
    let trial = this.trials.get(index)
    if (trial === undefined) {
      trial = { sums: this.metrics.map((metric) => new TrialSums(metric)), ids: new Set() }
      this.trials.set(index, trial)
    }
    return trial
  }
}
