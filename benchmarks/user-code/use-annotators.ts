import { z } from 'zod'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { codeDigest } from '../../cache/user-code/code-digest.ts'
import { codeFiles } from '../../cache/user-code/code-files.ts'
import type { BenchmarkContext } from '../context/context.ts'
import type { PyValue } from '../python/value.ts'
import type { AnnotatorCode } from '../scenario/annotator-code.ts'
import type { Benchmark, ObjectSpec } from '../scenario/benchmark.ts'
import { fileDigest } from '../sources/file-digest.ts'
import { codeFile, codeIds } from './find-code.ts'
import { codeProblem, readModule } from './read-module.ts'

/** Module of a workspace's annotators in run_spec.json. */
const WORKSPACE_ANNOTATORS = 'workspace.annotators.'

/** An annotator as a declaration names it. */
export interface UsedAnnotator {
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

const Definition = z.strictObject({
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
    const { fields, timeout, annotate } = await readModule('annotator', file, Definition)
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
