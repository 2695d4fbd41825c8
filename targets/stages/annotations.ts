import type { Target } from '../record/target.ts'
import type { Annotator } from './annotator.ts'
import type { StageEnv } from '../env/env.ts'
import { codeAnnotator } from './code-annotator.ts'
import { juryAnnotator } from './jury-annotator.ts'
import { queryAnnotator } from './query-annotator.ts'

/** How many judgements an answer of this target gets: columns of its record. */
export const annotationColumns = ({ judges, spec }: Target): number =>
  judges.length + (spec.benchmark.queries === undefined ? 0 : 1) + (spec.benchmark.ownAnnotators?.length ?? 0)

/** All annotators of a target as one, the judges' columns first; undefined where it has none. */
export const createAnnotationStage = async (
  target: Target,
  env: StageEnv,
): Promise<Annotator | undefined> => {
  const all = [
    await juryAnnotator(target, env),
    await queryAnnotator(target, env),
    ...(target.spec.benchmark.ownAnnotators ?? []).map((code) => codeAnnotator(code, env)),
  ]
  const annotators = all.filter((annotator) => annotator !== undefined)
  return annotators.length < 2 ? annotators[0] : combine(annotators)
}

const combine = (annotators: readonly Annotator[]): Annotator => ({
  columns: annotators.reduce((sum, { columns }) => sum + columns, 0),
  run: async (instance, answer) =>
    (await Promise.all(annotators.map((annotator) => annotator.run(instance, answer)))).flat(),
  peek: (instance, answer) => annotators.flatMap((annotator) => annotator.peek(instance, answer)),
  missing: (instance, answer) =>
    annotators.flatMap(
      (annotator) =>
        annotator.missing?.(instance, answer) ?? Array.from({ length: annotator.columns }, () => []),
    ),
  assemble: (instance, answer, digests) => {
    let first = 0
    const parts = annotators.map((annotator) => {
      const own = digests.slice(first, (first += annotator.columns))
      return [...annotator.assemble(instance, answer, own)]
    })
    return new Map(parts.flat())
  },
})
