import { z } from 'zod'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../context/context.ts'
import type { MetricCatalog, MetricContext } from '../scenario/metric-catalog.ts'
import type { PyValue } from '../python/value.ts'
import type { MetricSpec, Benchmark, ObjectSpec } from '../scenario/benchmark.ts'
import { codeFile, codeIds, refuseShadowed, codeProblem, readModule } from './find-code.ts'
import { metricCodeSpec } from './metric-spec.ts'
import { codeDigest, codeFiles } from '../../cache/user-code/code-files.ts'
import type { MetricCode, AnnotatorCode } from '../scenario/metric-code.ts'
import { fileDigest } from '../sources/read-text.ts'

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

const MetricDefinition = z.strictObject({
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
  const { measures, evaluate } = await readModule('metric', file, MetricDefinition)
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

/** Module of a workspace's annotators in run_spec.json. */
const WORKSPACE_ANNOTATORS = 'workspace.annotators.'

/** An annotator as a declaration names it. */
interface UsedAnnotator {
  readonly name: string
  readonly args: ReadonlyMap<string, PyValue>
  readonly where: () => Place
}

const Field = z.strictObject({
  name: z.string().min(1, 'it must be some text'),
  type: z.enum(['text', 'number', 'boolean', 'texts', 'numbers']),
  least: z.number().nullable().default(null),
  most: z.number().nullable().default(null),
  nullable: z.boolean().default(false),
})

const AnnotatorDefinition = z.strictObject({
  fields: z.array(Field).min(1, 'it must list at least one field'),
  timeout: z.number().positive('it must be greater than 0').default(120),
  annotate: z.custom<AnnotatorCode['annotate']>(
    (value) => typeof value === 'function',
    'it must be a function',
  ),
})

/** What a benchmark is annotated by besides. */
interface OtherAnnotators {
  /** As run_spec.json names them; undefined leaves the field out. */
  readonly built: readonly ObjectSpec[] | undefined
  /** Name of the jury's annotation. */
  readonly taken: string | undefined
}

/**
 * The workspace's annotators behind the names of a declaration, in its order.
 * @throws ProblemError `benchmarks/unknown-annotator`, `benchmarks/duplicate-annotator`, those of `readModule`
 */
export const useAnnotators = async (
  used: readonly UsedAnnotator[],
  { built, taken }: OtherAnnotators,
  context: Pick<BenchmarkContext, 'workspace' | 'fileDigests'>,
): Promise<Pick<Benchmark, 'annotators' | 'ownAnnotators'>> => {
  const all: AnnotatorCode[] = []
  for (const { name, args, where } of used) {
    const file = codeFile(context.workspace, 'annotator', name)
    if (file === undefined) throw unknownAnnotator(name, where(), context.workspace)
    if (taken === name || all.some(({ id }) => id === name)) throw duplicate(name, where())
    const { fields, timeout, annotate } = await readModule('annotator', file, AnnotatorDefinition)
    const twice = fields.find((field, index) => fields.findIndex((each) => each.name === field.name) < index)
    if (twice !== undefined) throw codeProblem('annotator', file, `the field ${twice.name} is listed twice`)
    all.push({
      id: name,
      digest: await codeDigest(file, (path) => fileDigest(path, context.fileDigests)),
      files: codeFiles(file),
      args,
      fields,
      timeout,
      annotate,
    })
  }
  if (all.length === 0) return built === undefined ? {} : { annotators: built }
  return { ownAnnotators: all, annotators: [...(built ?? []), ...all.map(annotatorObject)] }
}

/** A workspace's annotator as run_spec.json names it. */
const annotatorObject = ({ id, args }: AnnotatorCode): ObjectSpec => ({
  className: `${WORKSPACE_ANNOTATORS}${id}`,
  args: new Map<string, PyValue>([['args', args]]),
})

const unknownAnnotator = (name: string, where: Place, workspace: string): ProblemError => {
  const known = codeIds(workspace, 'annotator')
  return new ProblemError({
    code: 'benchmarks/unknown-annotator',
    message: `there is no annotator ${JSON.stringify(name)}`,
    where,
    remedy: `${suggestion(name, known)}${known.length === 0 ? '' : `Known are ${known.join(', ')}. `}Write it as targets/annotators/${name}.ts.`,
  })
}

const duplicate = (name: string, where: Place): ProblemError =>
  new ProblemError({
    code: 'benchmarks/duplicate-annotator',
    message: `two annotations of an answer would be named ${name}`,
    where,
    remedy: 'List it once, and name no annotator as the jury’s annotation is named.',
  })
