import type { BoardRun } from '../../../targets/runs/board-run.ts'
import { sampleOf, summarized } from '../../../targets/runs/board-sample.ts'
import type { PerInstanceStats } from '../../../targets/record/stat.ts'

export interface RunSketch {
  readonly model?: string
  readonly deployment?: string
  readonly benchmark?: string
  readonly name?: string
  readonly metric?: string
  readonly lowerIsBetter?: boolean | 'unknown'
  readonly isShare?: boolean
  readonly isBinary?: boolean
  /** That values are means over; 1 unless told. */
  readonly trials?: number
  /** Ends of the scale: those of a share where it is one, else open. */
  readonly range?: { readonly low: number; readonly high: number }
  readonly access?: BoardRun['benchmark']['access']
  readonly values: readonly number[]
  /** Evaluated requests; as many as values unless told. */
  readonly evaluated?: number
  readonly failures?: BoardRun['failures']
  readonly causes?: BoardRun['causes']
  readonly coverageFloor?: number
}

/** Elements of per_instance_stats.json with one metric. */
export const perInstance = (name: string, values: readonly number[], trial = 0): PerInstanceStats[] =>
  values.map((value, index) => ({
    instanceId: `id${index}`,
    trainTrialIndex: trial,
    stats: [{ name: { name, split: 'test' }, count: 1, sum: value, sumSquared: value * value, float: true }],
  }))

/** A finished run whose main metric has these values. */
export const boardRunOf = (sketch: RunSketch): BoardRun => {
  const { model = 'a/model', benchmark = 'bench', metric = 'exact_match', values } = sketch
  const lowerIsBetter = sketch.lowerIsBetter ?? false
  const main = { name: metric, split: 'test' }
  const { isShare = true, isBinary = true } = sketch
  const range = sketch.range ?? (isShare ? { low: 0, high: 1 } : undefined)
  const scale = { isBinary, ...(range && { range }) }
  const sum = values.reduce((total, value) => total + value, 0) / Math.max(values.length, 1)
  return {
    name: sketch.name ?? `${benchmark}:model=${model.replace('/', '_')}`,
    model: {
      name: model,
      deployment: sketch.deployment ?? model,
      displayName: model,
      creator: 'Maker',
      access: 'open',
    },
    benchmark: {
      name: benchmark,
      displayName: benchmark,
      description: `About ${benchmark}`,
      access: sketch.access ?? 'public',
      coverageFloor: sketch.coverageFloor ?? 0.99,
      mainMetric: {
        ...main,
        displayName: metric,
        description: '',
        ...scale,
        ...(lowerIsBetter === 'unknown' ? {} : { lowerIsBetter }),
      },
    },
    stats: values.length === 0 ? [] : [{ name: main, count: 1, sum, min: sum, max: sum }],
    coverage: { evaluated: sketch.evaluated ?? values.length, measured: values.length },
    causes: sketch.causes ?? {},
    ...summarized(sampleOf(perInstance(metric, values), main), scale, sketch.trials ?? 1),
    failures: sketch.failures ?? [],
  }
}
