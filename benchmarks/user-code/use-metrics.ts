import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../context/context.ts'
import type { MetricCatalog, MetricContext } from '../scenario/metric-catalog.ts'
import type { PyValue } from '../python/value.ts'
import type { MetricSpec } from '../scenario/benchmark.ts'
import { codeFile, codeIds } from './find-code.ts'
import { refuseShadowed } from './idle-code.ts'
import { metricCodeSpec } from './metric-spec.ts'
import { z } from 'zod'
import { codeDigest } from '../../cache/user-code/code-digest.ts'
import { codeFiles } from '../../cache/user-code/code-files.ts'
import type { MetricCode } from '../scenario/metric-code.ts'
import { fileDigest } from '../sources/file-digest.ts'
import { codeProblem, readModule } from './read-module.ts'

/** A metric as a declaration names it: a set of built-in ones, or one of the workspace. */
export interface UsedMetric {
  readonly name: string
  readonly args: ReadonlyMap<string, PyValue>
  /** The declaration. */
  readonly file: string
  /** Where in it: read anew, so for faults alone. */
  readonly where: () => Place
}

type MetricsContext = Pick<BenchmarkContext, 'workspace' | 'fileDigests' | 'metrics'>

/**
 * The metric objects behind the names of a declaration, in its order.
 * @throws ProblemError `benchmarks/unknown-metric`, `benchmarks/metric-arguments`, `benchmarks/metric-name-taken`, those of `loadMetricCode`
 */
export const useMetrics = async (
  used: readonly UsedMetric[],
  sets: MetricContext,
  context: MetricsContext,
): Promise<readonly MetricSpec[]> => {
  const specs: MetricSpec[] = []
  for (const metric of used) specs.push(...(await specsOf(metric, sets, context)))
  return specs
}

/** A jury is asked where a metric reads it, and only there. @throws ProblemError `benchmarks/jury-without-metric` */
export const checkJudged = (
  used: readonly UsedMetric[],
  hasJury: boolean,
  where: () => Place,
  { sets }: MetricCatalog,
): void => {
  const judged = sets.filter((set) => set.judged === true).map(({ name }) => name)
  const reader = used.find(({ name }) => judged.includes(name))
  if ((reader !== undefined) === hasJury) return
  throw new ProblemError({
    code: 'benchmarks/jury-without-metric',
    message:
      reader === undefined
        ? 'the jury is asked but no metric reads it'
        : `the metric ${reader.name} needs a jury`,
    where: where(),
    remedy:
      reader === undefined
        ? `Add ${judged.join(' or ')} to \`metrics\`, or leave the jury out.`
        : 'Add a `jury` section.',
  })
}

const specsOf = async (
  metric: UsedMetric,
  sets: MetricContext,
  context: MetricsContext,
): Promise<readonly MetricSpec[]> => {
  const { name, args } = metric
  const set = context.metrics.sets.find((each) => each.name === name)
  if (set !== undefined) {
    refuseShadowed(name, metric.file, context.workspace)
    if (args.size > 0) throw noArguments(metric)
    return set.specs(sets)
  }
  const file = codeFile(context.workspace, 'metric', name)
  if (file === undefined) throw unknownMetric(metric, context)
  const spec = metricCodeSpec(await loadMetricCode(name, file, context), args)
  return [sets.annotators?.length ? { ...spec, needs: sets.annotators } : spec]
}

const unknownMetric = (
  { name, where }: UsedMetric,
  { workspace, metrics: { sets } }: MetricsContext,
): ProblemError => {
  const known = [...sets.map((set) => set.name), ...codeIds(workspace, 'metric')]
  return new ProblemError({
    code: 'benchmarks/unknown-metric',
    message: `there is no metric ${JSON.stringify(name)}`,
    where: where(),
    remedy: `${suggestion(name, known)}Known are ${known.join(', ')}; one of your own is targets/metrics/${name}.ts.`,
  })
}

const noArguments = ({ name, where }: UsedMetric): ProblemError =>
  new ProblemError({
    code: 'benchmarks/metric-arguments',
    message: `${name} takes no arguments`,
    where: where(),
    remedy: 'Only metrics of the workspace do: remove `args`.',
  })

const Measure = z
  .strictObject({
    name: z.string().regex(/^[\w.-]+$/, 'it must be letters, digits, `_`, `-` or `.`'),
    unit: z.string().min(1).default('share'),
    least: z.number().nullable().default(0),
    most: z.number().nullable().default(1),
    better: z.enum(['higher', 'lower', 'neither']).default('higher'),
    displayName: z.string().exactOptional(),
    description: z.string().default(''),
  })
  .refine(
    ({ unit, least, most }) => unit !== '0 or 1' || (least === 0 && most === 1),
    'what is 0 or 1 goes from 0 to 1',
  )
  .refine(
    ({ least, most }) => least === null || most === null || least < most,
    '`least` must be below `most`',
  )

const Definition = z.strictObject({
  measures: z
    .array(Measure)
    .min(1, 'it must list at least one measure')
    .refine(
      (all) => new Set(all.map(({ name }) => name)).size === all.length,
      'it must list every measure once',
    ),
  evaluate: z.custom<MetricCode['evaluate']>((value) => typeof value === 'function', 'it must be a function'),
})

/**
 * A metric of the workspace, loaded and checked.
 * @throws ProblemError those of `readModule`
 */
export const loadMetricCode = async (
  id: string,
  file: string,
  context: Pick<BenchmarkContext, 'fileDigests'>,
): Promise<MetricCode> => {
  const { measures, evaluate } = await readModule('metric', file, Definition)
  if (!measures.some(({ name }) => name === id))
    throw codeProblem('metric', file, `none of its measures is named ${id}, as its file is`)
  return {
    id,
    digest: await codeDigest(file, (path) => fileDigest(path, context.fileDigests)),
    files: codeFiles(file),
    measures: measures.map((measure) => ({ displayName: measure.name, ...measure, of: 'instance' })),
    evaluate,
  }
}
