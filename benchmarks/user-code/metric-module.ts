import { z } from 'zod'
import { codeDigest } from '../../cache/user-code/code-digest.ts'
import { codeFiles } from '../../cache/user-code/code-files.ts'
import type { BenchmarkContext } from '../context/context.ts'
import type { MetricCode } from '../scenario/metric-code.ts'
import { fileDigest } from '../sources/file-digest.ts'
import { codeProblem, readModule } from './read-module.ts'

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
