import { z } from 'zod'
import { ProblemError } from '../../cache/problem.ts'
import { codeDigest } from '../../cache/user-code/code-digest.ts'
import { codeFiles } from '../../cache/user-code/code-files.ts'
import { loadCode } from '../../cache/user-code/load-code.ts'
import type { BenchmarkContext } from '../context/context.ts'
import type { MetricCode } from '../scenario/metric-code.ts'
import { fileDigest } from '../sources/file-digest.ts'

const Measure = z.strictObject({
  name: z.string().regex(/^[\w.-]+$/, 'it must be letters, digits, `_`, `-` or `.`'),
  unit: z.string().min(1).default('share'),
  least: z.number().nullable().default(0),
  most: z.number().nullable().default(1),
  better: z.enum(['higher', 'lower', 'neither']).default('higher'),
  displayName: z.string().exactOptional(),
  description: z.string().default(''),
})

/** What a metric's file exports as `metric`. */
const Module = z.object({
  metric: z.strictObject({
    measures: z.array(Measure).min(1, 'it must list at least one measure'),
    evaluate: z.custom<MetricCode['evaluate']>(
      (value) => typeof value === 'function',
      'it must be a function',
    ),
  }),
})

/**
 * A metric of the workspace, loaded and checked.
 * @throws ProblemError `metrics/code` with what its file lacks, those of `loadCode`
 */
export const loadMetricCode = async (
  id: string,
  file: string,
  context: Pick<BenchmarkContext, 'fileDigests'>,
): Promise<MetricCode> => {
  const parsed = Module.safeParse(await importFile(file))
  if (!parsed.success) throw codeProblem(file, faultsOf(parsed.error))
  const { measures, evaluate } = parsed.data.metric
  if (!measures.some(({ name }) => name === id))
    throw codeProblem(file, `none of its measures is named ${id}, as its file is`)
  return {
    id,
    digest: await codeDigest(file, (path) => fileDigest(path, context.fileDigests)),
    files: codeFiles(file),
    measures: measures.map((measure) => ({ displayName: measure.name, ...measure, of: 'instance' })),
    evaluate,
  }
}

const importFile = async (file: string): Promise<unknown> => {
  try {
    return await loadCode(file, 'metrics')
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw codeProblem(file, error instanceof Error ? error.message : String(error), error)
  }
}

const faultsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')

const codeProblem = (file: string, reason: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'metrics/code',
      message: `${file} can't be used: ${reason}`,
      where: { file },
      remedy: "Export `metric`, as `defineMetric` of 'medmake' describes it.",
    },
    { cause },
  )
